import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

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
export function createLog(process: string, level: string, stream?: DestinationStream): Log {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);
  const options: LoggerOptions = {
    level,
    base: { process },
    redact: { paths, censor: '[redacted]' },
    serializers: { err: serializeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return stream === undefined ? pino(options) : pino(options, stream);
}

/** What PostgreSQL says beside an error's message shows the row or the statement that failed, and with it what people typed. */
const rowNames = new Set(['detail', 'where', 'internalQuery', 'hint']);

/** An error's own `code` (an SQLSTATE, ECONNREFUSED) is no secret; it is logged under a name that is not redacted. */
function serializeError(error: unknown): unknown {
  const serialized: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  if (typeof serialized !== 'object' || serialized === null) return serialized;
  const kept = Object.entries(serialized).filter(([name]) => !rowNames.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name === 'code' ? 'errorCode' : name, value]));
}
