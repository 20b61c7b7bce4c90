// The reasons under `auto_event_message.user_leave` (platform §13.3), old names included.

const leaveReasons = [
  'admin_removed',
  'admin_deleted',
  'admin_deactivated',
  'left_by_own_choice',
  'channel_operator_removed',
  'deleted',
  'deactivated',
  'left',
];

/** The setting with all of them off. */
export const noLeaveMessages: Readonly<Record<string, boolean>> = Object.fromEntries(
  leaveReasons.map((name) => [name, false]),
);
