// Generated from the schemas by documents.test.ts --update; do not edit.

/**
 * chatform adopt
 */
export interface AdoptedDocument {
  format_version: string;
  adopted: {
    address: string;
    differs: string[];
    /**
     * All other managed values, by kind and attribute.
     */
    not_compared: {
      kind: string;
      /**
       * members.*.hidden_status for a part of the entries of a map.
       */
      attribute: string;
      /**
       * in_part: the response proves only what proves says. no_answer: the platform shows it nowhere. argument: it steers one request. history: chatform verify compares it. each_user: it needs one request for each user. read_each: not read, because of policy.read_each. omitted: left out of the response. refused: the platform refused to show it.
       */
      why: 'in_part' | 'no_answer' | 'argument' | 'history' | 'each_user' | 'read_each' | 'omitted' | 'refused';
      /**
       * With in_part, what was compared.
       */
      proves?: 'is_set' | 'key_id' | 'joined' | 'same_upload' | 'same_token';
      values: number;
      objects: number;
    }[];
  }[];
  missing: string[];
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform convert
 */
export interface ConvertedDocument {
  format_version: string;
  files: string[];
  users: number;
  channels: number;
  messages: number;
  outcomes: {
    carried: number;
    changed: number;
    left_out: number;
  };
  reasons: {
    code: string;
    count: number;
  }[];
  /**
   * What messages had that the platform does not take.
   */
  losses: {
    threads: number;
    reactions: number;
    edits: number;
    files: number;
    /**
     * The total size of the files whose size the export gives.
     */
    fileBytes: number;
  };
  attachments: {
    files: number;
    copied: number;
    exported: number;
    login: number;
    signed: number;
    open: number;
    missing: number;
    /**
     * When the last signature ends, as ISO time.
     */
    lastEnd?: string;
    /**
     * Files with a URL by its host, most files first.
     */
    hosts: {
      host: string;
      files: number;
      /**
       * The sum of the sizes that the export states.
       */
      bytes: number;
      copied: number;
      /**
       * Files without a copy whose URL asks for a login.
       */
      login: number;
      /**
       * Files without a copy whose URL had a signature or a token.
       */
      signed: number;
      /**
       * When the last signature ends, as ISO time.
       */
      last_end?: string;
    }[];
  };
  undecided: {
    code: string;
    count: number;
  }[];
  /**
   * Rows of --identities.
   */
  identities?: {
    /**
     * People with a row.
     */
    matched: number;
    /**
     * People without one.
     */
    missing: number;
    /**
     * Rows that match nobody.
     */
    unused: number;
  };
  /**
   * The export is older than one that was converted before.
   */
  older?: {
    /**
     * The newest message or edit of this export, as ISO time. Null: it has no messages.
     */
    newest: string | null;
    superseded: number;
  };
  /**
   * Nothing shows whether this export is later than another one. It counts, and changes these numbers of objects; messages in later_edits keep a later edit of an earlier conversion.
   */
  assumed_later?: {
    /**
     * The newest message or edit of this export, as ISO time. Null: it has no messages.
     */
    newest: string | null;
    messages: number;
    users: number;
    channels: number;
    later_edits: number;
  };
  /**
   * What sending everything to an empty application takes. Absent if the manifests have errors or declare no application.
   */
  cost?: {
    rate_plan: string;
    /**
     * Most frequent first.
     */
    requests: {
      method: 'GET' | 'POST' | 'PUT' | 'DELETE';
      route: string;
      count: number;
    }[];
    duration: {
      /**
       * The shortest possible duration.
       */
      lower_bound_s: number;
      /**
       * The calls that each rate limit has to let through, the slowest limit first.
       */
      buckets: {
        name: string;
        calls: number;
        /**
         * Calls per second.
         */
        rate: number;
        seconds: number;
      }[];
      /**
       * How the user rules are read for the bound. Absent when the other reading gives the same one.
       */
      user_rules?: {
        /**
         * A request that names no user counts for the application alone.
         */
        assumed: 'named';
        /**
         * It counts for the first user that it lists.
         */
        other: 'first_listed';
        /**
         * The lower bound by the other reading.
         */
        other_lower_bound_s: number;
      };
      /**
       * How the plan's limits are read for the bound. Absent when the other reading gives the same one.
       */
      plan_limits?: {
        /**
         * The calls of each endpoint count alone.
         */
        assumed: 'endpoint';
        /**
         * All calls of a method count together.
         */
        other: 'method';
        /**
         * The lower bound by the other reading.
         */
        other_lower_bound_s: number;
      };
      /**
       * The slowest rate limit, in words. Absent if there is nothing to send.
       */
      bottleneck?: string;
      /**
       * How many rate limits are left out. Each takes less time than those listed.
       */
      others?: number;
      /**
       * The longest chain of calls that wait for one another, and the objects of its first and last call.
       */
      chain?: {
        calls: number;
        /**
         * kind.key: user.alice.
         */
        from: string;
        /**
         * kind.key: user.alice.
         */
        to: string;
      };
    };
  };
  /**
   * Of the earlier conversion, what the export does not have.
   */
  no_longer_there: {
    /**
     * Messages outside of the times that the export covers, which stay.
     */
    kept: number;
    /**
     * Messages that are gone from the source.
     */
    gone: number;
    users: number;
    channels: number;
  };
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform cutover
 */
export interface CutoverDocument {
  format_version: string;
  ready: boolean;
  application: string;
  /**
   * The lines of conversion/series.ndjson. Conversions of one export, one after the other, are one.
   */
  runs: {
    /**
     * MAJOR.MINOR. Readers ignore unknown keys and refuse another MAJOR.
     */
    format_version: string;
    source: string;
    /**
     * ISO 8601, in UTC.
     */
    started_at: string;
    duration_s: number;
    export: {
      /**
       * Relative to the folder of the manifests, with /. With the mapping of tables.
       */
      paths: string[];
      files: number;
      /**
       * That of conversion/export.sha256, the list of all files of the export with their digests, and of the rows of a database.
       */
      sha256: string;
    };
    users: number;
    channels: number;
    messages: number;
    /**
     * How the lines of all archives differ from those of the conversion before.
     */
    lines: {
      added: number;
      /**
       * The same time, sender and type with another content.
       */
      changed: number;
      missing: number;
    };
    outcomes: {
      carried: number;
      changed: number;
      left_out: number;
    };
    /**
     * Lines left out without a decision.
     */
    undecided: number;
    /**
     * The time of the last message.
     */
    last?: string;
    /**
     * SHA-256 in hexadecimal.
     */
    ledger: string;
    /**
     * The mapping of tables. It is one of the paths of the export.
     */
    mapping?: string;
    /**
     * The file of --identities.
     */
    identities?: string;
    /**
     * The tables that were read from a database instead of files.
     */
    database?: {
      /**
       * Its address without user and password: postgres://db.example.com/app.
       */
      name: string;
      /**
       * The environment variable that had its URL.
       */
      variable: string;
      /**
       * SHA-256 of the mapping. With another one, the next conversion reads all rows.
       */
      mapping: string;
      tables: {
        /**
         * With its schema: public.messages.
         */
        table: string;
        /**
         * The rows that were read.
         */
        rows: number;
        /**
         * That of the rows that were read.
         */
        sha256: string;
        /**
         * The key of the last row in its order. Absent without rows, without a key, and for a key that may be a name or an address.
         */
        last?: {
          [k: string]: string;
        };
        /**
         * The column since in the mapping.
         */
        since?: {
          column: string;
          /**
           * How far before the last value rows are read again. In milliseconds for times.
           */
          overlap: number;
          /**
           * The last value of the conversion before, from which rows were read. Absent: all rows were read.
           */
          from?: string;
          /**
           * The last value, from which the next conversion reads.
           */
          value?: string;
        };
      }[];
    };
  }[];
  /**
   * The applies since the first conversion, from the audit trail.
   */
  applies: {
    /**
     * Who: by the variables of the CI system, or else by user and host.
     */
    by: {
      user: string;
      host: string;
      repository?: string;
      job?: string;
      commit?: string;
      ref?: string;
    };
    /**
     * ISO 8601, in UTC.
     */
    started_at: string;
    /**
     * ISO 8601, in UTC.
     */
    finished_at: string;
    outcome: string;
    /**
     * The hash of the plan.
     */
    plan: string;
    /**
     * That succeeded.
     */
    steps: number;
    requests: number;
  }[];
  /**
   * Every point of the list.
   */
  checks: {
    code: string;
    /**
     * What the point demands.
     */
    point: string;
    /**
     * A point that blocks keeps the cutover from beginning, and no certificate is written.
     */
    outcome: 'passed' | 'warning' | 'blocks' | 'not_looked_at';
    /**
     * What is wrong, or why it was not looked at.
     */
    message?: string;
    advice?: string;
  }[];
  /**
   * The last window, without the export at the source. Absent before the second export.
   */
  window?: {
    /**
     * The longest time between two conversions.
     */
    gap_s: number;
    lines: {
      expected: number;
      bound: number;
    };
    requests: {
      expected: number;
      bound: number;
    };
    convert_s: {
      expected: number;
      bound: number;
    };
    apply_s: {
      expected: number;
      bound: number;
    };
    verify_s: {
      expected: number;
      bound: number;
    };
    total_s: {
      expected: number;
      bound: number;
    };
  };
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform calibrate: the readings, as in readings.schema.json, and how they were found
 */
export interface ExaminedDocument {
  format_version: string;
  calls: number;
  duration_s: number;
  /**
   * Objects that could not be removed.
   */
  left: {
    kind: string;
    id: string;
  }[];
  /**
   * Host and path of the base URL. The file counts for this application alone.
   */
  application: string;
  date: string;
  /**
   * The version of chatform that examined the platform.
   */
  chatform: string;
  /**
   * As in readings.schema.json.
   */
  readings: object;
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform explain
 */
export interface ExplainedDocument {
  format_version: string;
  address: string;
  kind: string;
  declared_at?: {
    file: string;
    line: number;
    column: number;
  };
  in_state: boolean;
  on_platform?: boolean;
  marks: string[];
  attributes: {
    name: string;
    standing: 'as_applied' | 'to_apply' | 'edited' | 'ignored' | 'removed' | 'remembered';
    /**
     * The declared value; of a secret, the name of its variable.
     */
    declared?: {
      [k: string]: unknown;
    };
    source?: {
      file: string;
      line: number;
      column: number;
    };
    /**
     * The value comes from `defaults` in the same file.
     */
    from_defaults?: true;
    /**
     * The value that was last applied.
     */
    remembered?: {
      [k: string]: unknown;
    };
    /**
     * The value on the platform. Absent: it was not read or is not shown.
     */
    live?: {
      [k: string]: unknown;
    };
    /**
     * What an edit does.
     */
    can_change: string;
    /**
     * What removing the line does.
     */
    if_removed: {
      how: 'reset' | 'release' | 'keep' | 'each' | 'required';
      /**
       * Of `reset`: the neutral value.
       */
      to?: {
        [k: string]: unknown;
      };
    };
  }[];
  lifecycle: {
    /**
     * As kept in state, which counts when the block is removed.
     */
    protected: boolean;
    ignore_changes: string[];
    /**
     * What removing the declaration does.
     */
    on_remove: 'freeze' | 'deactivate' | 'delete' | 'forget' | 'retire';
    on_remove_from: 'removed' | 'lifecycle' | 'state' | 'policy' | 'default';
  };
  /**
   * As in plan.schema.json, with the paths of attributes as lists.
   */
  change?: object;
  steps: {
    id: string;
    action:
      | 'create'
      | 'adopt'
      | 'conflict'
      | 'update'
      | 'invite'
      | 'leave'
      | 'ban'
      | 'mute'
      | 'unban'
      | 'unmute'
      | 'reactivate'
      | 'unfreeze'
      | 'freeze'
      | 'deactivate'
      | 'lockout'
      | 'migrate'
      | 'erase'
      | 'delete'
      | 'retire'
      | 'forget';
    request?: string;
    waits_for: {
      id: string;
      address: string;
      action:
        | 'create'
        | 'adopt'
        | 'conflict'
        | 'update'
        | 'invite'
        | 'leave'
        | 'ban'
        | 'mute'
        | 'unban'
        | 'unmute'
        | 'reactivate'
        | 'unfreeze'
        | 'freeze'
        | 'deactivate'
        | 'lockout'
        | 'migrate'
        | 'erase'
        | 'delete'
        | 'retire'
        | 'forget';
    }[];
    held_by_it: {
      id: string;
      address: string;
      action:
        | 'create'
        | 'adopt'
        | 'conflict'
        | 'update'
        | 'invite'
        | 'leave'
        | 'ban'
        | 'mute'
        | 'unban'
        | 'unmute'
        | 'reactivate'
        | 'unfreeze'
        | 'freeze'
        | 'deactivate'
        | 'lockout'
        | 'migrate'
        | 'erase'
        | 'delete'
        | 'retire'
        | 'forget';
    }[];
  }[];
  /**
   * Items: As in plan.schema.json, with the paths of attributes as lists.
   */
  drift: object[];
  /**
   * Items: A problem, as in diagnostics.schema.json.
   */
  problems: {
    severity: 'error' | 'warning' | 'note';
    code: string;
    summary: string;
    detail: string;
    address?: string;
    source?: {
      file: string;
      line: number;
      column: number;
    };
    excerpt?: string;
    count?: number;
    /**
     * A danger of the plan, which is shown before the changes.
     */
    dangerous?: true;
    /**
     * The entry of policy.acknowledge with which the plan passes this refusal.
     */
    acknowledge?: {
      /**
       * user.deactivate.
       */
      effect: string;
      count: number;
    };
  }[];
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform export
 */
export interface ExportedDocument {
  format_version: string;
  files: string[];
  objects: {
    [k: string]: number;
  };
  messages: number;
  left_out: string[];
  hosts: string[];
  requests: number;
  /**
   * What was announced before the histories, the pins and the hidden channels were read. Absent without --messages and --hidden-status.
   */
  price?: {
    kinds: {
      what: 'messages' | 'pins' | 'hidden_channels';
      /**
       * Messages, the channels whose pins are read, or the users whose hidden channels are read.
       */
      objects: number;
      requests: number;
    }[];
    requests: number;
    /**
     * The shortest time in seconds under the limits of the rate plan.
     */
    lower_bound_s: number;
    /**
     * Only a hundred channels were counted.
     */
    is_estimate: boolean;
  };
  /**
   * Whether it continued an export that was interrupted.
   */
  continued: boolean;
  /**
   * Absent: everything was exported. Otherwise `objects` counts only what was added.
   */
  selected?: {
    /**
     * Objects that were declared already, equal to the platform, and are now in state.
     */
    adopted: number;
    /**
     * Selected objects that were declared and in state already.
     */
    managed: number;
  };
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform files
 */
export interface FilesDocument {
  format_version: string;
  copied: number;
  bytes: number;
  present: number;
  failed: {
    from: string;
    reason: string;
  }[];
  unfetched: {
    host: string;
    files: number;
  }[];
  /**
   * Files that only another export of the series contains, by its name.
   */
  elsewhere: {
    export: string;
    files: number;
  }[];
  exit_code: number;
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}

/**
 * chatform rehearse: a report as in report.schema.json, without wall-clock times
 */
export interface RehearsedDocument {
  /**
   * MAJOR.MINOR. Readers ignore unknown keys and refuse another MAJOR.
   */
  format_version: string;
  /**
   * Host and path, or emulator: and its path. Absent if the run never began.
   */
  application?: string;
  /**
   * The hash of the plan that ran. Absent if the run never began.
   */
  plan_hash?: string;
  /**
   * As in report.schema.json.
   */
  by?: object;
  outcome: 'done' | 'incomplete' | 'interrupted' | 'out_of_time' | 'authentication' | 'conflict' | 'refused';
  /**
   * The run stopped because all new objects exist already, and state has none of them. Absent otherwise.
   */
  stop_cause?: 'not_in_state';
  exit_code: number;
  steps: {
    planned: number;
    succeeded: number;
    failed: number;
    /**
     * Their outcome is unknown. The next run finds out.
     */
    unknown: number;
    /**
     * Not tried because a step they need failed.
     */
    skipped: number;
  };
  requests: {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /**
     * The route template, by which limits count: /users/{user_id}.
     */
    route: string;
    sent: number;
    /**
     * Repeats after an unknown outcome.
     */
    retried: number;
    /**
     * Answered with 429.
     */
    limited: number;
  }[];
  duration_s: number;
  /**
   * The shortest possible duration, by the plan.
   */
  lower_bound_s: number;
  /**
   * The longest time in which calls were refused with 429 and none was accepted. Absent below a minute.
   */
  refused_s?: number;
  /**
   * Items: As in report.schema.json.
   */
  failures: object[];
  /**
   * As in report.schema.json.
   */
  announced?: object;
  /**
   * As in report.schema.json.
   */
  stored_otherwise?: object;
  /**
   * Objects that were temporarily reopened and are still open. The next run closes them. Absent if there are none.
   *
   * Items: kind.key: user.alice.
   */
  left_open?: string[];
  /**
   * Items: As in report.schema.json.
   */
  not_members?: object[];
  /**
   * As in report.schema.json.
   */
  series?: object;
  /**
   * Why the run stopped early.
   */
  stopped?: string;
  /**
   * Responses with 429.
   */
  limited: number;
  /**
   * Steps of a plan made after the rehearsal.
   */
  next_plan_steps: number;
  /**
   * Objects of state that could not be created on the simulated platform.
   */
  not_simulated: string[];
  /**
   * The calls over time, by route.
   */
  schedule: {
    route: string;
    from_s: number;
    to_s: number;
    steps: number;
  }[];
  /**
   * The objects in state at the end.
   */
  state: {
    kind: string;
    objects: number;
    closed: number;
  }[];
  /**
   * How many entries are left out, by the path of their list.
   */
  omitted?: {
    [k: string]: number;
  };
  /**
   * How to see what is left out.
   */
  rest?: string;
}
