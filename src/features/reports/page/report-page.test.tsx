import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor } from '../../../../test/data/factories.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { CallError, type Call } from '../../../client/api/fetch.ts';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { listPayments } from '../../payments/contract.ts';
import { ReportPage } from './report-page.tsx';

const testApp = setupTestApp();

test('when a part of the report could not be loaded, the report page says why the report cannot be printed, and reads the part again on request (contract §9)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const send = await testApp.as(distributor);
  let isBusy = true;
  const call: Call = (endpoint, ...args) =>
    isBusy && (endpoint as Endpoint) === listPayments ? Promise.reject(new CallError(503, 'The server is busy.')) : send(endpoint, ...args);
  navigate(`/distributor/distribution/${id}/report`);
  showScreen(call, '/distributor/distribution/:id/report', ReportPage);
  const reason = 'The report cannot be printed, because a part of it could not be loaded: The server is busy.';
  expect((await screen.findByRole('alert')).textContent).toContain(reason);
  const print = screen.getByRole<HTMLButtonElement>('button', { name: 'Print report' });
  expect(print.disabled).toBe(true);
  isBusy = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(print.disabled).toBe(false));
  expect(screen.queryByRole('alert')).toBeNull();
});
