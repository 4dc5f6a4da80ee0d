// @vitest-environment jsdom
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { useAuth } from './auth-provider.tsx';

function Lost(): ReactNode {
  return useAuth().user?.email;
}

test('the auth context outside its provider raises the specified error', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => render(<Lost />)).toThrow('useAuth must be used within an AuthProvider');
  complaints.mockRestore();
});
