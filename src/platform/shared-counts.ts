// Determines whether the counts in rate-limit headers contain the calls on other endpoints.
//
// Beside ours, a count contains the calls of another client, which are as many whatever we send. So the counts of answers are
// compared with the calls on other endpoints that preceded them: where these are counted, both grow together, by the slope 1 of
// a line through the answers. Otherwise the slope is 0.

/** The smallest variance of a count, because arrivals are inexact. Row: method, headers sent, sliding. */
const leastVariance = 0.08;
/** Nothing is decided before so many answers, or if the slope is closer to the middle than so many deviations. */
const fewestAnswers = 3;
const enoughDeviations = 2.5;
/** The slope below which the calls on other endpoints are not counted. */
const lacksOthers = 0.1;

export class SharedCounts {
  #answers = 0;
  #others = 0;
  #counts = 0;
  #othersSquared = 0;
  #product = 0;
  #countsSquared = 0;

  /** `others` are our calls on other endpoints, `count` what the header counts beside our calls on this one. */
  add(others: number, count: number): void {
    this.#answers += 1;
    this.#others += others;
    this.#counts += count;
    this.#othersSquared += others * others;
    this.#product += others * count;
    this.#countsSquared += count * count;
  }

  /** The slope so far, which may be far off. Undefined without answers that differ. */
  get slope(): number | undefined {
    return this.#answers < fewestAnswers || this.#spread <= 0 ? undefined : this.#joint / this.#spread;
  }

  get #spread(): number {
    return this.#othersSquared - this.#others ** 2 / this.#answers;
  }

  get #joint(): number {
    return this.#product - (this.#others * this.#counts) / this.#answers;
  }

  /** Undefined while the answers do not tell. */
  get containOthers(): boolean | undefined {
    const { slope } = this;
    if (slope === undefined) return undefined;
    const [spread, joint] = [this.#spread, this.#joint];
    const ofCounts = this.#countsSquared - this.#counts ** 2 / this.#answers;
    // What remains of the counts under the better one of the two slopes.
    const rest = Math.min(ofCounts, ofCounts - 2 * joint + spread) / (this.#answers - 1);
    const deviations = (slope - 0.5) * Math.sqrt(spread / Math.max(leastVariance, rest));
    if (Math.abs(deviations) < enoughDeviations) return undefined;
    // Refused calls are in no count, which makes the slope smaller where they are many.
    return deviations > 0 || (slope < lacksOthers ? false : undefined);
  }
}
