/**
 * A share given in percent (0 to 100). One that is not whole never rounds to a claim of all or nothing: 99.97 with one
 * digit is ">99.9%", 0.02 is "<0.1%".
 */
export function formatPercent(value: number, digits: 0 | 1 = 1): string {
  const step = digits === 0 ? 1 : 0.1;
  const rounded = value.toFixed(digits);
  if (value < 100 && Number(rounded) >= 100) return `>${(100 - step).toFixed(digits)}%`;
  if (value > 0 && Number(rounded) <= 0) return `<${step.toFixed(digits)}%`;
  return `${rounded}%`;
}
