// Reads the tables of a database without using the code of backup and restore.
import type pg from 'pg';

export const tableNames = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

/** Returns the number of rows and a checksum of each table. */
export async function tableChecksums(client: pg.ClientBase): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const name of await tableNames(client)) {
    const { rows } = await client.query<{ found: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS found FROM ${name} t`,
    );
    contents[name] = rows[0]?.found ?? '';
  }
  return contents;
}
