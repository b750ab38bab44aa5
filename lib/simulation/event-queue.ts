type Event = { readonly time: number; readonly order: number; readonly run: (time: number) => void };

/** Events by time, and in order of arrival within one time. A binary heap. */
export class EventQueue {
  private readonly heap: Event[] = [];
  private order = 0;

  /** Time of the earliest event; null when there is none. */
  get nextTime(): number | null {
    return this.heap[0]?.time ?? null;
  }

  add(time: number, run: (time: number) => void): void {
    const event = { time, order: this.order++, run };
    let index = this.heap.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.heap[parent];
      if (above === undefined || isBefore(above, event)) break;
      this.heap[index] = above;
      index = parent;
    }
    this.heap[index] = event;
  }

  /** Removes and runs the earliest event. */
  runNext(): void {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined) return;
    if (this.heap.length > 0) this.sink(last);
    first.run(first.time);
  }

  clear(): void {
    this.heap.length = 0;
  }

  private sink(event: Event): void {
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      let below = this.heap[child];
      const right = this.heap[child + 1];
      if (below !== undefined && right !== undefined && isBefore(right, below)) {
        child += 1;
        below = right;
      }
      if (below === undefined || isBefore(event, below)) break;
      this.heap[index] = below;
      index = child;
    }
    this.heap[index] = event;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
