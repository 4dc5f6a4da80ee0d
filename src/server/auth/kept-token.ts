// Stores the tokens of mailed links (contract §3).
import { linkKind } from '../../domain/accounts/account.ts';
import { run, type Db } from '../database/db.ts';
import { hashOfToken } from './token.ts';

const REPLACE = `INSERT INTO replaced_links ("tokenHash", "userId", expires) SELECT token, id, expires FROM users,
  LATERAL (SELECT CASE WHEN $2 THEN "invitationToken" ELSE "resetPasswordToken" END AS token,
    CASE WHEN $2 THEN "invitationExpires" ELSE "resetPasswordExpires" END AS expires) link
  WHERE id = $1 AND token IS NOT NULL ON CONFLICT DO NOTHING`;

/**
 * Stores a new token with which this user can set the password. Earlier tokens stay valid until they expire. Throws when the account was
 * disabled or got another e-mail address after the mail was rendered; the mail is then rendered again.
 */
export async function keepToken(
  db: Db,
  { id, email }: { id: number; email: string },
  { token, expires }: { token: string; expires: Date },
): Promise<void> {
  const isInvitation = linkKind(token) === 'invitation';
  const locked = await run(db, 'SELECT 1 FROM users WHERE id = $1 AND email = $2 AND "disabledAt" IS NULL FOR NO KEY UPDATE', [id, email]);
  if (locked.length === 0) throw new Error('the account changed while its mail was written');
  await run(db, REPLACE, [id, isInvitation]);
  const columns = isInvitation ? ['"invitationToken"', '"invitationExpires"'] : ['"resetPasswordToken"', '"resetPasswordExpires"'];
  await run(db, `UPDATE users SET ${columns[0]} = $2, ${columns[1]} = $3 WHERE id = $1`, [id, hashOfToken(token), expires]);
}
