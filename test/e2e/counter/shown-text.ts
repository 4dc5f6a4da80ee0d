import type { Locator } from '@playwright/test';

/**
 * Returns the characters of an element in the order in which they are displayed, from left to right, line by line. It differs from the text
 * if the text contains letters that are read from right to left.
 */
export const shownText = (element: Locator): Promise<string> =>
  element.evaluate((root) => {
    const shown: { character: string; left: number; middle: number }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      for (let at = 0; at < node.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { width, left, top, bottom } = range.getBoundingClientRect();
        if (width > 0) shown.push({ character: node.data.charAt(at), left, middle: (top + bottom) / 2 });
      }
    }
    const isSameLine = (difference: number) => Math.abs(difference) < 8;
    shown.sort((a, b) => (isSameLine(a.middle - b.middle) ? a.left - b.left : a.middle - b.middle));
    return shown.map(({ character }) => character).join('');
  });
