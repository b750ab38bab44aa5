import { expect, type Locator, type Page } from 'playwright/test';
import { standsFor } from './shown-number.ts';
import { tableRows } from './table-rows.ts';

/** Numbers as the API tells them, by the names that they have on the page. */
export type Numbers = Readonly<Record<string, number | null>>;

/** The numbers of a panel's head, by their names. */
export async function figuresOf(panel: Locator): Promise<Record<string, string>> {
  const pairs = await panel.locator('dl > div').evaluateAll((divs) =>
    divs.map((div): [string, string] => {
      const words = (selector: string) => {
        const found = div.querySelector(selector);
        return found instanceof HTMLElement ? found.textContent.replace(/\s+/g, ' ') : '';
      };
      return [words('dt'), words('dd')];
    }),
  );
  return Object.fromEntries(pairs);
}

/** Each named number stands on the page as it was told. */
export function expectShown(shown: Readonly<Record<string, string>>, told: Numbers, where: string): void {
  for (const [name, value] of Object.entries(told)) {
    const text = shown[name];
    if (text === undefined) throw new Error(`${where}: there is no "${name}", only ${Object.keys(shown).join(', ')}`);
    expect(standsFor(text, value), `${where}, ${name}: the page says ${text}, the API ${value}`).toBe(true);
  }
}

export type Told = {
  readonly title: string;
  readonly figures: Numbers;
  /** In the order of time; the table has the newest first. */
  readonly rows: readonly Numbers[];
};

export async function expectPanel(page: Page, { title, figures, rows }: Told): Promise<void> {
  const panel = page.getByRole('region', { name: title });
  expectShown(await figuresOf(panel), figures, title);
  const shown = await tableRows(panel.getByRole('table', { name: `${title}, table` }));
  expect(shown).toHaveLength(rows.length);
  for (const [index, row] of rows.toReversed().entries())
    expectShown(shown[index] ?? {}, row, `${title}, row ${index}`);
}
