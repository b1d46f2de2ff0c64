// A WebSocket of a service, line by line, until Ctrl-C.
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
  /** What is watched, for the line that says so on a terminal; none is written without it. */
  what?: string
  /** Frames that are sent as soon as it is open. */
  opening?: readonly object[]
}

/** Ends when the daemon closes the stream or `take` fails, which are failures, or at Ctrl-C, which is not. */
export function watch(
  { group, path, url, what, opening = [] }: Watched,
  take: (line: string) => void | Promise<void>,
): Promise<void> {
  const address = addressOf(group, url)
  if (what !== undefined && process.stderr.isTTY) note(`watching ${what}; Ctrl-C ends it`)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address.base.replace(/^http/, 'ws') + path, { headers: headers(group) })
    const stop = () => {
      socket.terminate()
      resolve()
    }
    // Without the socket nothing is left to wait for, and the command ends.
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
          hint: `is the daemon still there? "${typed`agent status`}" tells`,
        }),
      ),
    )
  })
}
