import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { beginCustomerUpload } from '../../uploads/contract.ts';
import { ImportDialog } from './import-dialog.tsx';

test('while an upload of customers begins, the dialog shows the upload, so that no other file can be chosen (contract §3)', async () => {
  freshDevice();
  navigate('/distributor');
  const begun = Promise.withResolvers<Response>();
  const fetch = async (path: string): Promise<Response> => {
    if (path === beginCustomerUpload.path) return await begun.promise;
    if (path !== '/api/user') return new Response(null, { status: 204 });
    return Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null });
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => <ImportDialog customers={[]} shown={[]} onClose={() => {}} />);
  const file = new File(['email\nrivka@home.example\n'], 'some.csv');
  fireEvent.change(await screen.findByLabelText('Choose a CSV file'), { target: { files: [file] } });
  fireEvent.click(await screen.findByRole('button', { name: 'Import and invite 1 customer' }));
  expect(await screen.findByRole('button', { name: 'Continue in the background' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Choose another file' })).toBeNull();
  begun.resolve(new Response('The server is busy.', { status: 503 }));
});
