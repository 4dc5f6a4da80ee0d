import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NewPasswordField, newPasswordProblem } from './new-password-field.tsx';

const TICKED: readonly [string, string[]][] = [
  ['', []],
  ['a', ['One lowercase letter']],
  ['A', ['One uppercase letter']],
  ['7', ['One number']],
  ['       ', []],
  ['abcdefg', ['One lowercase letter']],
  ['abcdefgh', ['At least 8 characters', 'One lowercase letter']],
  ['ABCDEFG1', ['At least 8 characters', 'One uppercase letter', 'One number']],
  ['  Abcdef1  ', ['One uppercase letter', 'One lowercase letter', 'One number']],
  ['xxx23456', ['At least 8 characters', 'One lowercase letter', 'One number']],
  ['Abcdefg1', ['At least 8 characters', 'One uppercase letter', 'One lowercase letter', 'One number']],
];

test.each(TICKED)('for the password %j, the field for a new password ticks the rules that it satisfies: %j', (password, ticked) => {
  render(<NewPasswordField password={password} onPassword={() => undefined} error={undefined} />);
  expect(screen.queryAllByText(': done.').map((mark) => mark.parentElement?.textContent.split(':')[0])).toEqual(ticked);
});

test('newPasswordProblem states in the words of the specification which rules a password breaks', () => {
  expect(['Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh', 'Password1', 'Sheep-42'].map(newPasswordProblem)).toEqual([
    'Password must be at least 8 characters',
    'Password must contain at least one uppercase letter',
    'Password must contain at least one lowercase letter',
    'Password must contain at least one number',
    'Password must not be one of the commonest passwords',
    undefined,
  ]);
});
