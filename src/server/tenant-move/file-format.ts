// The file of one distributor contains the rows of each table in PostgreSQL's COPY text format, as in a backup, and then a checksum of each
// table.

export const FIRST_LINE = '-- Feastday distributor, format 1';

export const headOf = ({
  email,
  migrations,
  madeAt,
}: {
  email: string;
  migrations: readonly string[];
  madeAt: Date;
}): string => `${FIRST_LINE}
-- ${email}, exported at ${madeAt.toISOString()}
-- Migrations: ${migrations.join(', ')}
-- It holds password hashes and everybody's addresses: keep it as you keep the database.
-- To load it into another installation of the same version: npm run tenant -- import FILE

`;
