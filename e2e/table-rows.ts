import type { Locator } from 'playwright/test';

/** The rows of a table as a person reads them: each cell's words under the first line of its column's header. */
export function tableRows(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate((element) => {
    const words = (cell: Element): string => {
      // biome-ignore lint/performance/useDomNodeTextContent: textContent would join words that stand in two lines
      const text = cell instanceof HTMLElement ? cell.innerText : '';
      return text.replace(/\s+/g, ' ').trim();
    };
    const firstText = (cell: Node): string =>
      document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()?.textContent?.trim() ?? '';
    const headers = [...element.querySelectorAll('thead th')].map(firstText);
    return [...element.querySelectorAll('tbody tr')].map((row) =>
      Object.fromEntries([...row.children].map((cell, index) => [headers[index] ?? '', words(cell)])),
    );
  });
}
