import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Whatever an object calls these is never written: secrets, codes, tokens, passwords, keys. */
const secretNames = [
  'password',
  'currentPassword',
  'newPassword',
  'code',
  'recoveryCode',
  'recoveryCodes',
  'token',
  'accessToken',
  'laissezPasser',
  'ticket',
  'captcha',
  'secret',
  'authorization',
  'cookie',
  'passphrase',
  'invitationCode',
  'raw',
];

/** Structured logs on standard output, one JSON object a line, with secrets redacted three levels deep. */
export function createLog(process: string, level: string): Log {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);
  return pino({
    level,
    base: { process },
    redact: { paths, censor: '[redacted]' },
    serializers: { err: serializeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

/** An error's own `code` (an SQLSTATE, ECONNREFUSED) is no secret; it stands under a name that is not redacted. */
function serializeError(error: unknown): unknown {
  const serialized: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  if (typeof serialized !== 'object' || serialized === null || !('code' in serialized)) return serialized;
  const { code, ...rest } = serialized;
  return { ...rest, errorCode: code };
}
