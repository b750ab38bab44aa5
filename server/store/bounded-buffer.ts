/** Rows on their way to the disk: the oldest give way when there are more than fit. */
export type BoundedBuffer<Row> = {
  push(row: Row): void;
  /** Takes out the oldest, at most `count`. */
  take(count: number): Row[];
  size(): number;
  /** How many had to give way so far. */
  dropped(): number;
};

export function createBoundedBuffer<Row>(limit: number): BoundedBuffer<Row> {
  // A ring: dropping the oldest of an array would move all the others.
  const ring: Row[] = [];
  let oldest = 0;
  let size = 0;
  let dropped = 0;

  return {
    push(row) {
      ring[(oldest + size) % limit] = row;
      if (size < limit) {
        size += 1;
        return;
      }
      oldest = (oldest + 1) % limit;
      dropped += 1;
    },
    take(count) {
      const taken = Math.min(count, size);
      const end = oldest + taken;
      const rows = [...ring.slice(oldest, end), ...ring.slice(0, Math.max(0, end - limit))];
      oldest = end % limit;
      size -= taken;
      return rows;
    },
    size: () => size,
    dropped: () => dropped,
  };
}
