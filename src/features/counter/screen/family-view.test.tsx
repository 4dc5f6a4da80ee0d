import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeSlot } from '../../../../test/data/factories.ts';
import { setupCounter } from '../../../../test/open-counter.tsx';
import { showScreen } from '../../../../test/screen.tsx';
import { saveTimeZoneOf } from '../../organization/queries.ts';
import { CounterPage } from '../counter-page.tsx';

const { testApp, day } = setupCounter();

test('the counter shows the pick-up time of the opened order, and its note below a heading and with its line breaks (contract §16)', async () => {
  await saveTimeZoneOf(testApp.db, day.distributor.id, 'America/New_York');
  const slot = await makeSlot(testApp.db, day.distribution, { label: 'Morning', startsAt: '2027-04-18T13:00:00Z' });
  const details = { slotId: slot.id, note: 'No bones.\nRing twice.' };
  await testApp.db.updateTable('orders').set(details).where('id', '=', day.order.id).execute();
  navigate(`/agent/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.agent), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  expect((await screen.findByRole('option')).textContent).toContain('Morning, Sun, Apr 18, 9:00 AM');
  fireEvent.keyDown(search, { key: 'Enter' });
  const note = await screen.findByText(/^No bones\.\s+Ring twice\.$/);
  expect(note.previousElementSibling?.textContent).toBe('Note');
  expect([note.textContent, note.className]).toEqual([details.note, expect.stringContaining('whitespace-pre-line')]);
  expect(screen.getByText(/Morning, Sun, Apr 18, 9:00 AM$/)).toBeTruthy();
});
