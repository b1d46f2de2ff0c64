// Starts a PostgreSQL server at the first request of a test.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { startPostgres, type PostgresServer } from '../postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a socket that returns the address. */
    postgresBroker: string
  }
}

type Answer = Pick<PostgresServer, 'host' | 'user'> | { error: string }

export default async function offerPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pg-broker-'))
  let server: Promise<PostgresServer> | null = null
  const broker = createServer((socket) => {
    const answer = (content: Answer) => socket.end(JSON.stringify(content))
    socket.on('error', () => undefined)
    server ??= startPostgres()
    server.then(
      ({ host, user }) => answer({ host, user }),
      (error: Error) => answer({ error: error.message }),
    )
  })
  const path = join(folder, 'broker')
  await new Promise<void>((resolve) => broker.listen(path, resolve))
  project.provide('postgresBroker', path)
  return async () => {
    broker.close()
    await (await server)?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws if the server cannot be started. */
export async function requestPostgres(broker: string): Promise<Pick<PostgresServer, 'host' | 'user'>> {
  const answer = JSON.parse(await text(connect(broker))) as Answer
  if ('error' in answer) throw new Error(`PostgreSQL did not start: ${answer.error}`)
  return answer
}
