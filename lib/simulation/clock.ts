/**
 * Simulated time in ms. `run` gets the time it was asked for, which is not later than `now()`. The simulation never
 * asks any other clock, so it runs the same in virtual time and behind a real server.
 */
export type SimulationClock = {
  now(): number;
  at(time: number, run: (time: number) => void): void;
};
