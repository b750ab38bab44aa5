/** An item that can stand in one recency list at a time. Both links are null while it stands in none. */
type Linked<T> = { older: T | null; newer: T | null };

/** Items from the least to the most recently added. Adding, removing and reading the ends take constant time. */
export class RecencyList<T extends Linked<T>> {
  oldest: T | null = null;
  newest: T | null = null;

  add(item: T): void {
    item.older = this.newest;
    item.newer = null;
    if (this.newest === null) this.oldest = item;
    else this.newest.newer = item;
    this.newest = item;
  }

  /** `item` must stand in this list. */
  remove(item: T): void {
    if (item.older === null) this.oldest = item.newer;
    else item.older.newer = item.newer;
    if (item.newer === null) this.newest = item.older;
    else item.newer.older = item.older;
    item.older = null;
    item.newer = null;
  }

  /** Newest first. The item last yielded may be removed meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    let item = this.newest;
    while (item !== null) {
      const older: T | null = item.older;
      yield item;
      item = older;
    }
  }
}
