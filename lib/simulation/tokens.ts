/** Token ids, unsigned 32 bits. */
export type TokenIds = Uint32Array<ArrayBuffer>;

/** Collects token ids without boxing them: a prompt may have 100,000. */
export class TokenBuffer {
  private ids: TokenIds = new Uint32Array(4096);
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(id: number): void {
    if (this.count === this.ids.length) {
      const larger = new Uint32Array(this.ids.length * 2);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.count++] = id;
  }

  toTokenIds(): TokenIds {
    return this.ids.slice(0, this.count);
  }
}
