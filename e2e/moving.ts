import type { Page } from 'playwright/test';

/** Elements, or what is before and after them, that a stylesheet animates or lets change over time. */
export function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(element, part === '' ? null : part);
        const lasts = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0);
        const moves = style.animationName !== 'none' || lasts(style.transitionDuration);
        return moves ? [`${element.tagName}${part} ${element.className}`] : [];
      }),
    ),
  );
}
