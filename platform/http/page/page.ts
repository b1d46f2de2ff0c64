// Serves the web page: files of a build, with the headers that keep a page of others out.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'

/** No text becomes HTML or a script: the browser refuses it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'"

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Of a compressed file.
  vary: 'accept-encoding',
}

/** Anyone may load the page: it contains no data, and each of its requests is checked. */
const OPEN = { auth: 'open', identity: 'none', readOnly: true } as const

/** The library answers 500 for others, such as `/../x`. */
const FILE = /^\/[\w-][\w.-]*$/

export interface PageOptions {
  /** Has `index.html` and `assets/`, whose names change with their content. May be built later. */
  folder: string
  /** Path of the public address without a slash at the end; empty for none. */
  prefix: string
}

/** Serves the page at `/ui`, also below the prefix, and leads there from `/`. Routes that exist already stay. */
export function installPage(app: FastifyInstance, { folder, prefix }: PageOptions): void {
  void app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...OPEN }
      route.schema = { ...route.schema, hide: true }
    })
    scope.addHook('onSend', async (_request, reply) => void reply.headers(HEADERS))
    for (const base of new Set(['', prefix])) await installAt(scope, base, folder)
  })
}

async function installAt(scope: FastifyInstance, base: string, folder: string): Promise<void> {
  const page = `${base}/ui/`
  const lead = (path: string, relative: string) => {
    if (scope.hasRoute({ method: 'GET', url: path })) return
    scope.get(path, async (request, reply) => reply.redirect(addressOf(request) ?? relative))
  }
  if (base !== '') lead(base, `${base.slice(base.lastIndexOf('/') + 1)}/ui/`)
  lead(`${base}/`, 'ui/')
  lead(`${base}/ui`, 'ui/')
  scope.get(`${page}*`, async (request, reply) => {
    const html = await indexOf(folder)
    // Relative to the address in the browser, whose start a proxy may have removed.
    const up = '../'.repeat(slashesIn(request.url.split('?')[0]!) - slashesIn(page))
    const text = html.replaceAll('"./', `"${up}`)
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text)
  })
  await scope.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: `${page}assets/`,
    decorateReply: false,
    index: false,
    allowedPath: (path) => FILE.test(path),
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
}

/** Read for each request: a build also replaces the files that it names. */
async function indexOf(folder: string): Promise<string> {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) throw new Problem(404, 'the page is not built: run "npm run build", then reload this address')
  return readFile(index, 'utf8')
}

/** Path of the page in the browser; null for a caller that does not use the public address. */
function addressOf({ cookieScope: { path } }: FastifyRequest): string | null {
  return path === '/' ? null : `${path}/ui/`
}

const slashesIn = (path: string): number => path.split('/').length - 1
