import { WebSocket } from 'ws'
import { typed } from './command-line.ts'
import type { OperationGroup } from '../schemas/operations/operation.ts'
import { addressOf } from './address.ts'
import { Failure } from './failure.ts'
import { headers, problemFailure, unreachable } from './http-client.ts'
import { note } from './output/print.ts'

export interface Watched {
  group: OperationGroup
  path: string
  url?: string
  /** Watched object, for a note on the terminal; no note if unset. */
  what?: string
  /** Frames sent on open. */
  opening?: readonly object[]
}

/** Resolves at Ctrl-C; rejects if the stream closes or `take` throws. */
export function watch(
  { group, path, url, what, opening = [] }: Watched,
  take: (line: string) => void | Promise<void>,
): Promise<void> {
  const address = addressOf(group, url)
  if (what !== undefined && process.stderr.isTTY) note(`watching ${what}; press Ctrl-C to stop`)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address.base.replace(/^http/, 'ws') + path, { headers: headers(group) })
    const stop = () => {
      socket.terminate()
      resolve()
    }
    // Terminating the socket lets the command end.
    const attempt = async (line: string) => {
      try {
        await take(line)
      } catch (error) {
        reject(error)
        socket.terminate()
      }
    }
    process.once('SIGINT', stop).once('SIGTERM', stop)
    socket.on('open', () => {
      for (const frame of opening) socket.send(JSON.stringify(frame))
    })
    socket.on('message', (data: Buffer) => {
      const lines = data.toString('utf8').split('\n')
      for (const line of lines.filter((each) => each.trim() !== '')) void attempt(line)
    })
    socket.on('unexpected-response', (_request, response) =>
      reject(
        problemFailure(
          { status: response.statusCode, detail: response.statusMessage },
          { service: group.service, where: `GET ${path}` },
        ),
      ),
    )
    socket.on('error', (error) => reject(unreachable(address, error)))
    socket.on('close', (code, reason) =>
      reject(
        new Failure(`the stream ended: ${reason.toString() || `code ${code}`}`, {
          where: path,
          hint: `check with "${typed`agent status`}" whether the daemon is still running`,
        }),
      ),
    )
  })
}
