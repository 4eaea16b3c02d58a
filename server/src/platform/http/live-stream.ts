import type { ServerResponse } from 'node:http';
import { type LiveEvent, liveTopics, streamEvents } from '@causeway/contract/live.ts';
import type { FastifyRequest } from 'fastify';
import type { Session, SignedInContext } from '../session.ts';
import { bareHeaders } from './headers.ts';
import type { LiveHub } from './live.ts';
import { contextOf, type Http, route } from './route.ts';

/**
 * `GET /web/events`: server-sent events. A stream ends with its session: the database announces sessions that are ended, and a timer
 * meets those that run out. A changed role ends it too; the page connects again and reads everything with its new rights.
 */

const heartbeatMs = 15_000;
/** The end of an idle session is looked for this long after it is due. */
const graceMs = 50;

/** Streams that this process keeps open; one more ends the oldest. A browser's tabs have one each. */
export const streamLimits = { session: 12, member: 36 };

export interface LiveDependencies {
  hub: LiveHub;
  /** How long the session lasts if its member does nothing more, in milliseconds. */
  sessionEndsIn(session: Session): Promise<number>;
}

interface Stream {
  session: Session;
  raw: ServerResponse;
}

export function registerLiveRoutes(http: Http, { hub, sessionEndsIn }: LiveDependencies): void {
  /** In the order in which they were opened. */
  const open = new Set<Stream>();
  // Streams never end by themselves; a server that stops would wait for them.
  http.app.addHook('preClose', async () => {
    for (const { raw } of open) raw.end();
  });
  route.stream(http, streamEvents, async (request, reply) => {
    const { session } = await signedIn(http, request);
    reply.hijack();
    const { raw } = reply;
    const stream = { session, raw };
    makeRoom(open, session);
    open.add(stream);
    raw.writeHead(200, {
      ...bareHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    const write = writer(raw);
    raw.write('retry: 1000\n\n');
    // A page that was connected before may have missed something in between.
    if (request.headers['last-event-id'] !== undefined) for (const topic of liveTopics) write({ topic, id: null });
    const unsubscribe = hub.subscribe(session.companyId, write);
    const unwatch = endWithSession(stream, { hub, sessionEndsIn }, () => signedIn(http, request));
    raw.once('close', () => {
      open.delete(stream);
      unwatch();
      unsubscribe();
    });
  });
}

function signedIn(http: Http, request: FastifyRequest): Promise<SignedInContext> {
  return contextOf(http, streamEvents, request) as Promise<SignedInContext>;
}

function writer(raw: ServerResponse): (event: LiveEvent) => void {
  let sequence = 0;
  return (event) => {
    raw.write(`id: ${++sequence}\ndata: ${JSON.stringify(event)}\n\n`);
  };
}

/** Ends the oldest streams of the session or the member, so that one more is within the limits. */
function makeRoom(open: Set<Stream>, session: Session): void {
  const ofMember = [...open].filter((one) => one.session.userId === session.userId);
  const ofSession = ofMember.filter((one) => one.session.id === session.id);
  const surplus = (streams: Stream[], limit: number) => streams.slice(0, Math.max(0, streams.length + 1 - limit));
  for (const stream of [...surplus(ofSession, streamLimits.session), ...surplus(ofMember, streamLimits.member)]) {
    open.delete(stream);
    stream.raw.end();
  }
}

/** Checks the session at every heartbeat, when it is announced to have ended, and when it runs out. */
function endWithSession(
  { session, raw }: Stream,
  { hub, sessionEndsIn }: LiveDependencies,
  ask: () => Promise<SignedInContext>,
): () => void {
  const rights = session.permissions.join();
  let runsOut: NodeJS.Timeout | undefined;
  let over = false;
  const check = async () => {
    try {
      const now = await ask();
      if (now.session.permissions.join() !== rights) raw.end();
    } catch {
      raw.end();
    }
  };
  const arm = async () => {
    const endsInMs = await sessionEndsIn(session).catch(() => 0);
    if (over) return;
    runsOut = setTimeout(async () => {
      await check();
      if (!raw.writableEnded) await arm();
    }, endsInMs + graceMs);
  };
  void arm();
  const heartbeat = setInterval(() => {
    raw.write(': still here\n\n');
    void check();
  }, heartbeatMs);
  const unwatch = hub.watchSessions(session.userId, () => void check());
  return () => {
    over = true;
    clearTimeout(runsOut);
    clearInterval(heartbeat);
    unwatch();
  };
}
