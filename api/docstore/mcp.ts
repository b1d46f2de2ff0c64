// MCP tools over HTTP: each POST is a separate conversation without state.
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { FastifyInstance } from 'fastify'
import { asActor } from '../../platform/core/actor.ts'
import { LARGEST_DOCUMENT } from '../../schemas/docstore/document.ts'
import { replaceUnstorable } from '../../schemas/validation/text.ts'
import type { Docstore } from '../../services/docstore/face.ts'

const PATH = '/mcp'

async function newTransport(): Promise<StreamableHTTPServerTransport> {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  const send = transport.send.bind(transport)
  // Its serialiser writes half of a surrogate pair, such as the end of a text that was cut, which strict parsers refuse.
  transport.send = (message, options) => send(replaceUnstorable(message).value, options)
  return transport
}

export function mcpRoutes(app: FastifyInstance, docstore: Docstore): void {
  app.route({
    method: 'POST',
    url: PATH,
    schema: { summary: 'Serve the tools over MCP (streamable HTTP, without sessions)', body: {} },
    config: { readOnly: true, identity: 'caller' },
    bodyLimit: LARGEST_DOCUMENT,
    handler: async (request, reply) => {
      const server = await docstore.tools(request.actor)
      const transport = await newTransport()
      reply.raw.once('close', () => void server.close())
      const { raw } = reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      await asActor(request.actor, async () => {
        // The tools act as this caller.
        await server.connect(transport)
        await transport.handleRequest(request.raw, raw, request.body)
      })
      return reply
    },
  })
}
