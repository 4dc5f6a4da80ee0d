// The editor inside the dialog for writing e-mails (spec §2 Send Email dialog).
import { editorOf, openDialog } from './email-writing.ts';
import { expect, test } from './fixtures.ts';
import { makeOrders } from './placed-orders.ts';

// If a script or style violates the content security policy, the browser logs an error on the console, which fails this test.
test(
  "the e-mail dialog loads its editor from /tinymce, only when the dialog opens, within the page's content security policy (spec §2, §9)",
  { tag: '@long' },
  async ({ page, testApp }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const { distributor, distribution } = await makeOrders(testApp);
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}`);
    const isEditor = (path: string): boolean => path.startsWith('/tinymce/') || path.includes('send-email-dialog');
    expect(asked.filter(isEditor)).toEqual([]);
    const dialog = await openDialog(page);
    expect(asked).toContain('/tinymce/tinymce.min.js');
    const box = await dialog.locator('.tox-tinymce').boundingBox();
    expect(box?.height).toBe(400);

    // A menu and the form for links work inside the dialog. Escape closes the menu or form first, and then the dialog.
    await editorOf(page).locator('body').click();
    await page.keyboard.type('The map');
    await dialog.getByRole('button', { name: 'Paragraph' }).click();
    await expect(dialog.getByRole('menuitemcheckbox')).toHaveText(['Paragraph', 'Heading', 'Small heading']);
    await dialog.getByRole('menuitemcheckbox', { name: 'Heading', exact: true }).click();
    await expect(editorOf(page).getByRole('heading', { name: 'The map' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await page.keyboard.type('example.com/map');
    await page.keyboard.press('Enter');
    await expect(editorOf(page).getByRole('link', { name: 'The map' })).toHaveAttribute('href', 'https://example.com/map');
    await dialog.getByRole('button', { name: 'Heading' }).click();
    await expect(dialog.getByRole('menuitemcheckbox', { name: 'Paragraph' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('menuitemcheckbox', { name: 'Paragraph' })).toHaveCount(0);
    await expect(dialog).toBeVisible();

    // The form for links gets the focus as soon as it opens, even if the user has turned animations off. Otherwise, the address that is typed
    // next would replace the selected text.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await editorOf(page).locator('body').fill('The list');
    await page.keyboard.press('ControlOrMeta+a');
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await page.keyboard.type('example.com/list');
    await page.keyboard.press('Enter');
    await expect(editorOf(page).getByRole('link', { name: 'The list' })).toHaveAttribute('href', 'https://example.com/list');
  },
);
