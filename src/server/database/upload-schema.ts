// The tables in this file store uploads, which are imports of products or customers. An upload can be undone for 24 hours.
import type { Generated, JSONColumnType } from 'kysely';
import type { Timestamp } from './audit-schema.ts';

export interface CustomerUploads {
  id: Generated<number>;
  distributorId: number;
  startedAt: Generated<Timestamp>;
  updatedBy: number;
  userIds: Generated<number[]>;
  finishedAt: Timestamp | null;
  undoneAt: Timestamp | null;
}

export interface ProductUploads {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  startedAt: Generated<Timestamp>;
  updatedBy: number;
  before: JSONColumnType<Record<string, unknown>[]>;
  finishedAt: Timestamp | null;
  changes: JSONColumnType<Record<string, unknown>[]> | null;
  undoneAt: Timestamp | null;
}
