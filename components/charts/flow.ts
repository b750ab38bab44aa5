/** Places pieces of these widths in a row, `gap` apart, and goes on in the next row where `width` does not suffice. */
export function flow(widths: readonly number[], width: number, gap: number): { x: number; row: number }[] {
  let x = 0;
  let row = 0;
  return widths.map((own) => {
    if (x > 0 && x + own > width) {
      x = 0;
      row += 1;
    }
    const place = { x, row };
    x += own + gap;
    return place;
  });
}
