// Contains the usual steps that lead to a visual state. A step is a function that acts on the page.
import type { Page } from '@playwright/test';
import { expect } from '../../e2e/fixtures.ts';
import type { VisualState, VisualStateData } from './visual-state.ts';

export type Step = (page: Page, ids: VisualStateData) => Promise<unknown>;

/** Waits until the page is no longer loading anything. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading').or(page.getByRole('alert')).first()).toBeAttached();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** Returns a function that opens a path, waits until the page has loaded, and then runs the steps. */
export const at =
  (path: string | ((ids: VisualStateData) => string), ...steps: readonly Step[]): VisualState['open'] =>
  async (page, ids) => {
    await page.goto(ids.url + (typeof path === 'string' ? path : path(ids)));
    await settled(page);
    for (const step of steps) await step(page, ids);
  };

/** Returns a function that runs a step before it opens the state with `open`. */
export const after =
  (step: Step, open: VisualState['open']): VisualState['open'] =>
  async (page, ids) => {
    await step(page, ids);
    await open(page, ids);
  };

/** Clicks the first button, link, tab or menu item with this name. */
export const press =
  (name: string | RegExp): Step =>
  async (page) => {
    const roles = ['button', 'link', 'tab', 'menuitem'] as const;
    const [first, ...others] = roles.map((role) => page.getByRole(role, { name, exact: typeof name === 'string' }));
    await others
      .reduce((found, other) => found?.or(other), first)
      ?.first()
      .click();
  };

/**
 * The name of a product's Edit button. The expression excludes the button "Edit in a table" above the list, which opens the table of all
 * products.
 */
export const EDIT_ONE_PRODUCT = /^Edit (?!in a table$)/;

export const type =
  (label: string | RegExp, text: string): Step =>
  async (page) =>
    await page.getByLabel(label).first().fill(text);

/** Waits until the page shows this text. */
export const reads =
  (text: string | RegExp): Step =>
  async (page) =>
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();

/** Replies to all calls of a URL in place of the server. */
export const answered =
  (address: string, status: number, body: object | string): Step =>
  async (page) =>
    await page.route(address, (route) =>
      typeof body === 'string' ? route.fulfill({ status, body, contentType: 'text/plain' }) : route.fulfill({ status, json: body }),
    );

/** Leaves all calls of a URL without a response. */
export const unanswered =
  (address: string): Step =>
  async (page) =>
    await page.route(address, () => undefined);

export const offline: Step = async (page) => await page.context().setOffline(true);

export const refused = (address: string): Step => answered(address, 500, 'Oops');

/** Replies to the saves of a URL in place of the server. Reads of the URL still reach the server. */
export const saved =
  (address: string, status: number, body: object | string): Step =>
  async (page) =>
    await page.route(address, (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      // The counter recognizes a response of the server, and not of a proxy, by this header.
      const headers = { 'x-request-id': 'saved' };
      const content = typeof body === 'string' ? { body, contentType: 'text/plain' } : { json: body };
      return route.fulfill({ status, headers, ...content });
    });

/** Returns a function that opens a path while the calls of `address` get no response, so that the page shows its loading indicator. */
export const loading =
  (path: string, address: string): VisualState['open'] =>
  async (page, ids) => {
    await unanswered(address)(page, ids);
    await page.goto(ids.url + path);
    await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
  };

/**
 * Returns a function that opens a path and waits until the page shows its skeleton. A step before it must leave the page's reads without a
 * response.
 */
export const waits =
  (path: string | ((ids: VisualStateData) => string), shape = '.skeleton'): VisualState['open'] =>
  async (page, ids) => {
    await page.goto(ids.url + (typeof path === 'string' ? path : path(ids)));
    const skeleton = page.locator(shape).first();
    await expect(skeleton).toBeVisible();
    const appeared = (): Promise<unknown> =>
      skeleton.evaluate(async (element) => await Promise.all(element.getAnimations().map((animation) => animation.finished)));
    // The check is repeated, because the page may replace its first skeleton: by the skeleton of a part of the page, or by the one that is
    // shown while the script of that part loads.
    await expect(appeared).toPass();
  };
