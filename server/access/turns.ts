/** Runs one thing after the other, whatever became of those before. */
export type InTurn = <Value>(run: () => Promise<Value>) => Promise<Value>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
}
