import { COMMUNITY } from './names.ts';
import { mulberry32, pick, wholeBetween } from '../../src/domain/rehearsal/seeded-random.ts';

/** A person with an account and a complete contact (spec §3). */
export type Person = {
  email: string;
  firstName: string;
  lastName: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  phone: string;
};

/** The distributor's name and postal address for prints and mails (contract §3). */
export type Organization = {
  email: string;
  name: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  phone: string;
  timeZone: string;
};

type Town = { city: string; state: string; zip: string; areaCode: string };

const ELMWOOD: Town = { city: 'Elmwood Terrace', state: 'NJ', zip: '07688', areaCode: '201' };
const TOWNS: readonly Town[] = [
  ELMWOOD,
  { city: 'Cedar Hollow', state: 'NJ', zip: '07692', areaCode: '551' },
  { city: 'Linden Falls', state: 'NJ', zip: '07459', areaCode: '973' },
  { city: 'Ashford Hills', state: 'NY', zip: '10955', areaCode: '845' },
];

const STREETS = [
  'Alder Lane, Beechwood Avenue, Birch Street, Briarcliff Road, Brook Street, Carlton Terrace, Chestnut Street, Church Street, Churchill Road',
  'Clinton Avenue, Cobblestone Court, Dogwood Drive, East Maple Street, Edgemont Place, Elm Street, Fairview Avenue, Forest Avenue',
  'Garden Street, Glenbrook Road, Grove Street, Hawthorne Place, Highland Avenue, Hillcrest Drive, Jefferson Avenue, Juniper Way, Lake Street',
  'Laurel Court, Magnolia Road, Maitland Avenue, Mill Pond Road, North Main Street, Oakdene Avenue, Orchard Street, Park Place, Prospect Street',
  'Quarry Road, Queen Anne Road, Ridge Road, Rosewood Terrace, Rutland Avenue, Spring Street, Sunset Drive, Sycamore Road, Union Street',
  'Vandelinda Avenue, Walnut Street, West Hudson Street, Winding Way, Windsor Road, Woodland Avenue',
].flatMap((line) => line.split(', '));

const MAIL_HOSTS = ['mail.test', 'mail.test', 'mail.test', 'inbox.test', 'post.test', 'familymail.test'];

// Returns a phone number from 555-0100 to 555-0199, which are reserved for fiction. The step of 37 has no common divisor with 100, so that
// the first hundred people of a town get different numbers.
const phoneOf = (town: Town, place: number): string =>
  `(${town.areaCode}) 555-01${String((Number(town.zip) + place * 37) % 100).padStart(2, '0')}`;

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

function addressesOf(first: string, last: string): string[] {
  const initial = first.slice(0, 1);
  return [
    `${first}.${last}`,
    `${first}${last}`,
    `${initial}${last}`,
    `${first}.${last.slice(0, 1)}`,
    `${last}s`,
    `${first}_${last}`,
    `${last}.family`,
  ];
}

function emailFor(random: () => number, person: { firstName: string; lastName: string }, taken: ReadonlySet<string>): string {
  const [first, last] = [lettersOf(person.firstName), lettersOf(person.lastName)];
  let wanted = `${pick(random, addressesOf(first, last))}@${pick(random, MAIL_HOSTS)}`;
  while (taken.has(wanted)) wanted = `${first}.${last}${wholeBetween(random, 10, 99)}@${pick(random, MAIL_HOSTS)}`;
  return wanted;
}

function homeFor(random: () => number): string {
  const house = `${wholeBetween(random, 3, 989)} ${pick(random, STREETS)}`;
  return random() < 0.12 ? `${house}, Apt ${wholeBetween(random, 1, 6)}${pick(random, ['A', 'B', 'C', 'D'])}` : house;
}

const REGULARS: readonly { firstName: string; lastName: string; email: string }[] = [
  { firstName: 'Rivka', lastName: 'Abramov', email: 'rivka.abramov@mail.test' },
  { firstName: 'Moshe', lastName: 'Adler', email: 'adlers@mail.test' },
  { firstName: 'Sol', lastName: 'Benaroch', email: 'sol.b@mail.test' },
  { firstName: 'Dina', lastName: 'Cohen', email: 'dina.cohen@mail.test' },
  { firstName: 'Aviva', lastName: 'Delgado', email: 'aviva.d@mail.test' },
  { firstName: 'Chaim', lastName: 'Eisen', email: 'chaim@mail.test' },
];

function newName(random: () => number, taken: ReadonlySet<string>): { firstName: string; lastName: string } {
  for (;;) {
    const background = pick(random, COMMUNITY);
    const name = { firstName: pick(random, background.firstNames), lastName: pick(random, background.families) };
    if (!taken.has(`${name.firstName} ${name.lastName}`)) return name;
  }
}

/** Returns the first `count` families of the community, always the same ones. Their e-mail addresses and full names are unique. */
export function demoCustomers(count: number): Person[] {
  const random = mulberry32(5787);
  const emails = new Set(REGULARS.map((regular) => regular.email));
  const names = new Set(REGULARS.map((regular) => `${regular.firstName} ${regular.lastName}`));
  const placesIn = new Map<Town, number>();
  return Array.from({ length: count }, (_, index) => {
    const name = REGULARS[index] ?? newName(random, names);
    const email = REGULARS[index]?.email ?? emailFor(random, name, emails);
    emails.add(email);
    names.add(`${name.firstName} ${name.lastName}`);
    const town = pick(random, TOWNS);
    const place = (placesIn.get(town) ?? 0) + 1;
    placesIn.set(town, place);
    const { city, state, zip } = town;
    const { firstName, lastName } = name;
    return { email, firstName, lastName, address: homeFor(random), city, state, zip, phone: phoneOf(town, place) };
  });
}

export const CUSTOMERS: readonly Person[] = demoCustomers(250);

export const DISTRIBUTOR: Organization = {
  email: 'office@bethel.test',
  name: 'Bethel Holiday Foods',
  address: '48 Station Plaza',
  city: ELMWOOD.city,
  state: ELMWOOD.state,
  zip: ELMWOOD.zip,
  phone: '(201) 555-0100',
  timeZone: 'America/New_York',
};

export const AGENTS: readonly Person[] = [
  { ...DISTRIBUTOR, email: 'packing@bethel.test', firstName: 'Yakov', lastName: 'Lerner', phone: '(862) 555-0147' },
  { ...DISTRIBUTOR, email: 'hall@bethel.test', firstName: 'Perla', lastName: 'Sutton', phone: '(862) 555-0163' },
].map(({ email, firstName, lastName, address, city, state, zip, phone }) => ({
  email,
  firstName,
  lastName,
  address,
  city,
  state,
  zip,
  phone,
}));

export const ADMIN = { email: 'admin@feastday.test' };
