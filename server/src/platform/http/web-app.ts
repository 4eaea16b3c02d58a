import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { sendFailure } from './failure.ts';

/** Addresses that no page of the console has: those of calls and files, and those that lead somewhere else than they say. */
const notPages = /^\/(web|common|operator|todo|docs|openapi\.json|assets|pay)(\/|$)|[\\\0]|\/\/|(^|\/)\.\.?(\/|$)/;
const yearSeconds = 31_536_000;

/**
 * Serves the built web app: hashed assets for a year, everything else freshly, and the page itself for each of its own
 * addresses, so that a reload and the back button work.
 */
export async function registerWebApp(app: FastifyInstance, directory: string): Promise<void> {
  const index = 'index.html';
  await app.register(staticFiles, {
    root: directory,
    preCompressed: true,
    index: false,
    wildcard: true,
    cacheControl: false,
    // Assets are small; a range that cannot be met would be an error of its own.
    acceptRanges: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
    },
  });
  app.get('/', async (_request, reply) => reply.sendFile(index));
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isPage(request.url) && existsSync(join(directory, index))) return reply.sendFile(index);
    return sendFailure(request, reply, new DomainError('notFound'));
  });
}

function isPage(url: string): boolean {
  // The router has decoded it once already, so it can be.
  return !notPages.test(decodeURIComponent(url.split(/[?#]/, 1)[0] ?? ''));
}

/** The hashes that the build wrote beside the page; none when there is no build. */
export function readInlineHashes(directory: string | undefined): { script: string[]; style: string[] } {
  const file = directory === undefined ? undefined : join(directory, 'inline-hashes.json');
  return file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { script: [], style: [] };
}
