// `agent mcp`: the tools of the document store on standard input and output, for programs that start their servers.
// Messages go on to the daemon as they are, in the name of whoever started this; so the tools stand in one place.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import { docstoreOperations } from '../../schemas/operations/docstore.ts'
import { addressOf } from '../address.ts'
import { headers } from '../http-client.ts'
import { withExamples, withUrl, type UrlOption } from '../options.ts'
import { note } from '../output/print.ts'
import { variable } from '../settings.ts'

const INTERNAL_ERROR = -32_603

export function define(command: Command): void {
  withExamples(withUrl(command), 'agent mcp', 'claude mcp add svc -- agent mcp').action(relay)
}

/** Until standard input ends, or nobody reads standard output. */
async function relay(options: UrlOption): Promise<void> {
  const { base, from } = addressOf(docstoreOperations, options.url)
  const daemon = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { ...ofLaunch(), ...headers(docstoreOperations) } },
  })
  const program = new StdioServerTransport()
  /** Requests whose answers are to come. */
  const open = new Set<Promise<void>>()
  const fromDaemon = (message: JSONRPCMessage) => {
    const { protocolVersion } = ('result' in message ? message.result : {}) as { protocolVersion?: unknown }
    if (typeof protocolVersion === 'string') daemon.setProtocolVersion(protocolVersion)
    void program.send(message)
  }
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const fromProgram = (message: JSONRPCMessage) => {
    const sent = daemon.send(message).catch(async (error: Error) => {
      const reason = `the document store does not answer at ${base} (from ${from}): ${error.message}`
      const next = `start the daemon with "${typed`svc serve`}", or name its address with --url`
      if (!isRequest(message)) return note(`${reason}; ${next}`)
      await program.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: INTERNAL_ERROR, message: `${reason}; ${next}` },
      })
    })
    open.add(sent)
    void sent.finally(() => open.delete(sent))
  }
  const onerror = (error: Error) => note(`what came is no message of the protocol: ${error.message}`)
  Object.assign(daemon, { onmessage: fromDaemon })
  Object.assign(program, { onmessage: fromProgram, onerror })
  await daemon.start()
  await program.start()
  await ended
  await Promise.all(open)
  await daemon.close()
  await program.close()
}

/** Within an agent's session: the token that its launch was given for the tools. */
function ofLaunch(): Record<string, string> {
  const token = variable('SVC_TOOLS_TOKEN')
  return token ? { Authorization: `Bearer ${token}` } : {}
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } =>
  'method' in message && 'id' in message
