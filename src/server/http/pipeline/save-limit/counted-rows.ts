// Computes as how many rows of a day, and as how many saves of a minute, a request counts.
import type { FastifyRequest } from 'fastify';
import { BODY_LIMIT, type Endpoint } from '../../../../shared/endpoint.ts';
import type { CountedRows } from '../../../database/count-rows.ts';

/**
 * A request that writes more rows than this counts as several saves. The fields of a body count as rows, too, but a body that describes a
 * single row has at most this many fields.
 */
const ROWS_OF_ONE_SAVE = 20;
/** A request that reads more rows than this before it changes something counts as several saves, also if the change is refused. */
const ROWS_READ_BY_ONE_SAVE = 100;
/** A request that adds up or counts more rows than this counts as several saves. Adding up a row costs far less than reading it. */
const ROWS_SUMMED_BY_ONE_SAVE = 5000;
/**
 * A request counts as at least one row for this many bytes of its body, and of the reply that is stored for its Idempotency-Key. Otherwise
 * a long note would count as one row. The audit contains a note twice, as the value after one change and before the next, so a note of this
 * length takes about as much space as an ordinary row of the audit.
 */
const BYTES_OF_ONE_ROW = 100;

const rowsOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_OF_ONE_ROW);

/** Returns as how many rows of the day the counted rows and bytes count. */
export const rowsOf = ({ changed = 0, storedBytes = 0 }: CountedRows): number => Math.max(changed, rowsOfBytes(storedBytes));

/** Returns as how many saves the counted rows and bytes count. */
export const savesOf = ({ read = 0, summed = 0, ...counted }: CountedRows): number =>
  Math.ceil(Math.max(rowsOf(counted) / ROWS_OF_ONE_SAVE, read / ROWS_READ_BY_ONE_SAVE, summed / ROWS_SUMMED_BY_ONE_SAVE));

/**
 * Returns the number of bytes of the body that count. Imports and calls with a `bodyLimit` of their own need large bodies, so their bytes do
 * not count. Other limits restrict these calls: those of the mails that a distributor may send in a day and of the people that it
 * may have, and each picture counts as many rows.
 */
function bytesOf({ headers }: FastifyRequest, { isImport, bodyLimit }: Endpoint): number {
  if (isImport || bodyLimit !== undefined) return 0;
  // A request with a body and without this header was refused with 411. A larger body will be refused with 413. It is not
  // parsed, and at most 5 MB are read (connections.ts).
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > BODY_LIMIT ? 0 : bytes;
}

/**
 * Returns as how many rows of the day a request counts before its work. Only changed rows count, and most lines of an order are unchanged,
 * so the length of a list in the body does not count.
 */
export const rowsOfRequest = (request: FastifyRequest, endpoint: Endpoint): number =>
  Math.max(endpoint.rows ?? 1, rowsOfBytes(bytesOf(request, endpoint)));

/** Returns how many rows a request writes: the length of the longest list in its body, or the number of fields, such as weights. */
function rowsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 1;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return Math.max(Object.keys(body).length, ...lists.map((list) => list.length));
}

/** Returns as how many saves a request counts because of its body. */
export const savesOfRequest = (request: FastifyRequest, endpoint: Endpoint): number =>
  savesOf({ changed: Math.max(rowsOfRequest(request, endpoint), rowsIn(request.body)) });
