// Generates request bodies from a call's JSON schema. Most of the generated values are valid. An invalid value may occur in any field
// (reliability R37).
import fc from 'fast-check';

export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffx',
  '\u202e\ufeff',
  `'; DROP TABLE users; --`,
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%s%n',
  '{{7*7}}',
  '=1+1',
  '1e3',
  'NaN',
  'true',
  '__proto__',
  'ﬀİıẞ',
  '9'.repeat(400),
  'x'.repeat(20_000),
];
const ODD_NUMBERS = [0, -0, -1, 1, 0.1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e21, 1e308, -1e308, 5e-324];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: -1 }, { toString: 1 }),
  fc.constantFrom(...ODD_TEXTS),
  fc.constantFrom(...ODD_NUMBERS),
  fc.jsonValue({ maxDepth: 3 }),
);
const most = <Value>(often: fc.Arbitrary<Value>, seldom: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 19, arbitrary: often }, { weight: 1, arbitrary: seldom });
const text = most(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('2027-04-15', '2027-04-15T00:00:00Z', 'someone@test.example', 'customer'),
  ),
  fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('2027-02-30', ...ODD_TEXTS)),
);
const int = most(fc.integer({ min: 0, max: 5 }), fc.oneof(fc.integer(), fc.constantFrom(...ODD_NUMBERS)));
const extras = fc.constantFrom<object>({}, {}, {}, { id: 1 }, { distributorId: 1, role: 'admin' }, JSON.parse('{"__proto__":{"a":1}}'), {
  constructor: { prototype: {} },
});

/**
 * Generates values that the schema allows. `ids` lists existing ids for each field name, so that a call finds the records that its body
 * names.
 */
function fitting(schema: JsonSchema, ids: Readonly<Record<string, readonly number[]>>): fc.Arbitrary<unknown> {
  const inside = (part: JsonSchema): fc.Arbitrary<unknown> => valuesOf(part, ids);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(inside));
  if (schema.type === 'array') return fc.array(inside(schema.items ?? {}), { maxLength: 4 });
  if (schema.type === 'string') return text;
  if (schema.type === 'integer' || schema.type === 'number') return int;
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type !== 'object') return odd;
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]): [string, fc.Arbitrary<unknown>] => {
    const known = ids[name];
    return [name, known ? most(fc.constantFrom<unknown>(...known), odd) : inside(part)];
  });
  const record = Object.fromEntries(fields);
  const own = fc.oneof(fc.record(record, { requiredKeys: [...(schema.required ?? [])] }), fc.record(record, { requiredKeys: [] }));
  const others = typeof schema.additionalProperties === 'object' ? fc.dictionary(text, inside(schema.additionalProperties)) : extras;
  return fc.tuple(others, own).map(([more, body]) => ({ ...more, ...body }));
}

export const valuesOf = (schema: JsonSchema, ids: Readonly<Record<string, readonly number[]>>): fc.Arbitrary<unknown> =>
  most(fitting(schema, ids), odd);

/** Generates path segments that are not valid ids, to be used in place of an id. */
export const oddSegment: fc.Arbitrary<string> = fc.oneof(
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom(...ODD_TEXTS, '..', '.', '%', '%zz', '%C0%80', '%2f', '1;2', '1?x=1', '1#x', '1/2', '0x1', '-0', '٣'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
