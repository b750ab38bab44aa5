/**
 * The two clocks of a model. The wall clock tells people and the database when something was, and may be set at any
 * moment; what is counted by time goes by the steady one, which never jumps. All in ms.
 */
export type ModelClock = {
  now(): number;
  steadyNow(): number;
  /** What the wall clock, as it goes now, showed at that time of the steady one. */
  toWall(steady: number): number;
  toSteady(wall: number): number;
};

/** The clocks drift apart by less without anybody having set one; times must not shift with each reading. */
const SET_BY_MS = 1_000;

export function createModelClock(now: () => number, steadyNow: () => number): ModelClock {
  let ahead = now() - steadyNow();
  const wallAhead = (): number => {
    const measured = now() - steadyNow();
    if (Math.abs(measured - ahead) > SET_BY_MS) ahead = measured;
    return ahead;
  };
  return {
    now,
    steadyNow,
    toWall: (steady) => steady + wallAhead(),
    toSteady: (wall) => wall - wallAhead(),
  };
}
