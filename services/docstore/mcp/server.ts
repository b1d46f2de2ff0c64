import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import { forbidden, Problem } from '../../../platform/core/problem.ts'
import { problemMembers } from '../../../platform/http/problems.ts'
import { TOOL_SERVER } from '../../../schemas/docstore/tools.ts'
import { replaceUnstorable } from '../../../schemas/validation/text.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { controlPlaneTools } from './control-plane.ts'
import { documentTools } from './documents.ts'
import { memoryTools } from './memories.ts'
import { roomTools } from './rooms.ts'
import type { Tool, ToolContext } from './tool.ts'

export const tools: readonly Tool[] = [...documentTools, ...memoryTools, ...roomTools, ...controlPlaneTools]

const INSTRUCTIONS =
  'Documents (doc_*) are Markdown files that people also read; memories (memory_*) are short notes between agents; ' +
  'rooms (room_*) are where people and agents talk. The other tools show the state of the team and change nothing.'

const NEXT: Readonly<Partial<Record<number, string>>> = {
  400: 'Correct the arguments, then call the tool again.',
  401: 'Ask a person to give this server a token.',
  403: 'You do not have permission: continue without it, or ask a person.',
  409: 'Read the current state, then decide again.',
  413: 'Split it into smaller calls.',
  501: 'This is disabled here: continue without it, or ask a person.',
  503: 'The service is unavailable: retry once later, or continue without it.',
}
const OTHERWISE = 'Continue without it, and tell a person what happened.'

export function createToolServer(
  context: ToolContext,
  about: { version: string; unexpected(error: unknown): void },
): Server {
  const server = new Server(
    { name: TOOL_SERVER, version: about.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  const shown = context.readsOnly ? tools.filter(({ effect }) => effect === 'reads') : tools
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: shown.map(describeTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const found = tools.find(({ name }) => name === params.name)
    if (!found) {
      const names = tools.map(({ name }) => name)
      const hint = nearestHint(params.name, names, `existing tools: ${names.join(', ')}`)
      const missing = new Problem(404, `tool ${params.name.slice(0, 100)} does not exist; ${hint}`)
      throw new McpError(ErrorCode.InvalidParams, missing.message, { problem: problemMembers(missing) })
    }
    return callTool(found, params.arguments ?? {}, context, about.unexpected)
  })
  return server
}

function describeTool({ name, title, description, input, output, effect }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: withoutIds(input) as { type: 'object' },
    outputSchema: withoutIds(output) as { type: 'object' },
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'changes' || effect === 'deletes',
      idempotentHint: effect !== 'adds',
      openWorldHint: false,
    },
  }
}

const withoutIds = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (member, value: unknown) => (member === '$id' ? undefined : value)))

async function callTool(
  found: Tool,
  input: Record<string, unknown>,
  context: ToolContext,
  unexpected: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    if (context.readsOnly && found.effect !== 'reads')
      throw forbidden(`${found.name} makes changes, but the token of this server has role viewer, which can only read`)
    const { value: structuredContent } = replaceUnstorable(
      (await found.call(input, context)) as Record<string, unknown>,
    )
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  } catch (error) {
    if (!(error instanceof Problem)) unexpected(error)
    return toolError(error instanceof Problem ? error : new Problem(500, 'internal error'), found)
  }
}

/** Models read the text, programs `_meta`: clients check structured content against the output schema of the tool. */
function toolError(problem: Problem, { next }: Pick<Tool, 'next'>): CallToolResult {
  const { status, code, message, retrySecs } = problem
  const wait = retrySecs === undefined ? '' : ` Retry after ${retrySecs} s.`
  const text = `${code}: ${message}.${wait} ${next[status] ?? NEXT[status] ?? OTHERWISE}`
  return { isError: true, content: [{ type: 'text', text }], _meta: { problem: problemMembers(problem) } }
}
