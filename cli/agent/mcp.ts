// `agent mcp`: relays MCP messages between stdio and the document store of the daemon, as the calling identity.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import { docstoreOperations } from '../../schemas/operations/docstore.ts'
import { replaceUnstorable } from '../../schemas/validation/text.ts'
import { addressOf } from '../address.ts'
import { headers } from '../http-client.ts'
import { withExamples, withUrl, type UrlOption } from '../options.ts'
import { note } from '../output/print.ts'
import { variable } from '../settings.ts'

const INTERNAL_ERROR = -32_603

export function define(command: Command): void {
  withExamples(withUrl(command), 'agent mcp', 'claude mcp add svc -- agent mcp').action(relay)
}

/** Runs until standard input ends or standard output is closed. */
async function relay(options: UrlOption): Promise<void> {
  const { base, from } = addressOf(docstoreOperations, options.url)
  const daemon = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { ...ofLaunch(), ...headers(docstoreOperations) } },
  })
  const program = new StdioServerTransport()
  /** Strict parsers refuse half of a surrogate pair, which an id or an error may quote. */
  const answer = (message: JSONRPCMessage) => program.send(replaceUnstorable(message).value)
  /** Requests without a response yet. */
  const open = new Set<Promise<void>>()
  const fromDaemon = (message: JSONRPCMessage) => {
    const { protocolVersion } = ('result' in message ? message.result : {}) as { protocolVersion?: unknown }
    if (typeof protocolVersion === 'string') daemon.setProtocolVersion(protocolVersion)
    void answer(message)
  }
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const fromProgram = (message: JSONRPCMessage) => {
    const sent = daemon.send(message).catch(async (error: Error) => {
      const reason = `the document store is not reachable at ${base} (from ${from}): ${error.message}`
      const next = `start the daemon with "${typed`svc serve`}", or pass its address with --url`
      if (!isRequest(message)) return note(`${reason}; ${next}`)
      await answer({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: INTERNAL_ERROR, message: `${reason}; ${next}` },
      })
    })
    open.add(sent)
    void sent.finally(() => open.delete(sent))
  }
  const onerror = (error: Error) => note(`received an invalid MCP message: ${error.message}`)
  Object.assign(daemon, { onmessage: fromDaemon })
  Object.assign(program, { onmessage: fromProgram, onerror })
  await daemon.start()
  await program.start()
  await ended
  await Promise.all(open)
  await daemon.close()
  await program.close()
}

/** Token that the launch of an agent session provides for the tools. */
function ofLaunch(): Record<string, string> {
  const token = variable('SVC_TOOLS_TOKEN')
  return token ? { Authorization: `Bearer ${token}` } : {}
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } =>
  'method' in message && 'id' in message
