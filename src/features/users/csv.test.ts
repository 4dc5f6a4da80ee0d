import { describe, expect, it } from 'vitest';
import { readCsv } from '../../shared/csv/read-csv.ts';
import { writeCsv } from '../../shared/csv/write-csv.ts';
import type { UserItem } from './contract.ts';
import { CUSTOMERS_CSV, failedCustomersCsv, readCustomersInSlices, templateCsv, whyDropped } from './csv.ts';

const rivka: UserItem = {
  userId: 7,
  email: 'rivka@home.example',
  firstName: 'Rivka',
  lastName: 'Abramov',
  phone: null,
  lockedUntil: null,
  hasSignedIn: true,
  isInvited: true,
  isDisabled: false,
};

const read = (text: string, existing: UserItem[] = [rivka]) => readCustomersInSlices(text, existing);

async function outcome(text: string): Promise<string[]> {
  const { rows } = await read(text);
  return rows.map((row) => `${row.line} ${row.kind}${row.kind === 'problem' ? `: ${row.reasons.join('; ')}` : ''}`);
}

describe('the import plan of a customers file', () => {
  it('distinguishes rows with a name but no e-mail address from empty rows, and recognizes existing customers (spec §5)', async () => {
    const old = { ...rivka, userId: 8, email: null, firstName: 'Sara', lastName: 'Adler', phone: '555-0100' };
    const file = 'email,firstName,lastName,phone\n,Sara,ADLER,5550100\n,Sara,Adler,555 0199\n,sara,adler,555-0199\n,,,5550177\n';
    const { rows } = await read(file, [rivka, old]);
    expect(rows.map((row) => [row.line, row.kind, 'user' in row ? row.user !== null : null])).toEqual([
      [2, 'known', null],
      [3, 'blank', true],
      [4, 'problem', null],
      [5, 'blank', false],
    ]);
    expect(rows.map(whyDropped)).toEqual(['a customer already', 'No e-mail address', null, 'No e-mail address']);
  });

  it('treats two rows with the same name and no e-mail address as two customers when their postal addresses differ', async () => {
    const file = 'email,firstName,address\n,Sara,1 Elm St\n,Sara,9 Oak Ave\n,Sara,1 ELM St\n';
    expect(await outcome(file)).toEqual(['2 blank', '3 blank', '4 problem: This customer is in the list twice.']);
  });

  it('drops rows without an e-mail address and rows of existing customers, and creates the other customers (spec §5)', async () => {
    expect(await outcome('email,city\n RIVKA@home.example ,x\n  ,Teaneck\nnew@home.example,y\n')).toEqual(['2 known', '3 blank', '4 add']);
  });

  it('reports rows that cannot be created: with an invalid or repeated address, or with a wrong number of cells', async () => {
    const file = 'email,firstName\nnot an address,A\ntwin@home.example,B\nTwin@home.example,C\nshort@home.example\n';
    expect(await outcome(file)).toEqual([
      '2 problem: Invalid email address',
      '3 add',
      '4 problem: This e-mail address is in the list twice.',
      '5 problem: The row has 1 cell where the header has 2',
    ]);
  });

  it('reads columns in any order, in upper or lower case and under common names; reports guessed and ignored columns', async () => {
    const file = 'Notes;E-Mail;Surname;FIRSTNAME;ZIP Code;Phone\nx;New@Home.example; Cohen ;Dina;07666;555 0100\n';
    const plan = await read(file);
    expect(plan.rows[0]).toMatchObject({
      kind: 'add',
      user: {
        email: 'new@home.example',
        firstName: 'Dina',
        lastName: 'Cohen',
        address: '',
        city: '',
        state: '',
        zip: '07666',
        phone: '555 0100',
      },
    });
    expect(plan.guessed).toEqual([
      { column: 'e-mail', field: 'email' },
      { column: 'surname', field: 'lastName' },
      { column: 'zip code', field: 'zip' },
    ]);
    expect(plan.ignored).toEqual(['notes']);
  });

  it('prefers a column with the exact name to one with a similar name', async () => {
    const plan = await read('mail,email\nold@home.example,new@home.example\n');
    expect(plan.rows[0]).toMatchObject({ kind: 'add', user: { email: 'new@home.example' } });
    expect(plan.ignored).toEqual(['mail']);
  });

  it('is refused without an email column, with a message that names its columns (spec §5)', async () => {
    expect((await read('name,city\nA,B\n')).refused).toBe('This file has no email column. Its columns are: name, city.');
    expect((await read('')).refused).toBe('This file is empty.');
  });

  it('returns uncreated rows as a file that can be corrected and imported again', async () => {
    const plan = await read('Mail,Last name\nbad,Adler\n');
    const failed = failedCustomersCsv(plan.rows.flatMap((row) => (row.kind === 'problem' ? [row] : [])));
    expect(failed).toBe('\uFEFFemail,firstName,lastName,address,city,state,zip,phone,reason\r\nbad,,Adler,,,,,,Invalid email address\r\n');
    expect(await outcome(failed.replace('bad', 'good@home.example'))).toEqual(['2 add']);
    expect((await read(failed)).ignored).toEqual([]);
  });

  it('recognizes the customers in an exported customers.csv; the template for an import has all columns', async () => {
    expect(await outcome(writeCsv(CUSTOMERS_CSV, [rivka]))).toEqual(['2 known']);
    expect(readCsv(templateCsv()).header).toEqual(['email', 'firstname', 'lastname', 'address', 'city', 'state', 'zip', 'phone']);
  });
});
