import { randomUUID } from 'node:crypto'
import type { Frame } from '../frames.ts'
import type { Decision, Permissions } from '../permissions.ts'
import { readPlan, type Plan, type ToolCall } from './plan.ts'
import type { Session, Tally } from './session.ts'
import { runTool, type ToolResult, type Workshop } from './tool-runs.ts'

export interface Speaker {
  readonly session: Session
  readonly permissions: Permissions
  emit(frame: Frame): void
  user(content: string | Frame[], members?: Frame): void
}

interface TurnParts {
  agent: Speaker
  shop: Workshop
  stop: AbortController
}

/** Resolves with an exit code if the prompt ends the process, else null. */
export async function runTurn(prompt: string, parts: TurnParts): Promise<number | null> {
  const { shop, stop } = parts
  const { session } = parts.agent
  const plan = readPlan(prompt)
  const tally = session.tally(shop.timers.now())
  const result = (members: Frame) => parts.agent.emit({ ...session.result(tally, shop.timers.now()), ...members })
  session.add(prompt)
  await pause(plan.thinkMs, parts)
  if (plan.exitCode !== null) {
    say(`Ending with exit code ${plan.exitCode}.`, [], tally, parts)
    return plan.exitCode
  }
  const last = await runRounds(plan, tally, parts)
  if (stop.signal.aborted) {
    const inTool = tally.stopReason !== null
    note(inTool ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]', tally, parts)
    result({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['interrupted'],
      terminal_reason: inTool ? 'aborted_tools' : 'aborted_streaming',
    })
  } else if (plan.failure !== null) {
    const text = `API Error: 400 ${plan.failure}`
    say(text, [], tally, parts)
    result({ subtype: 'success', is_error: true, api_error_status: 400, result: text, terminal_reason: 'api_error' })
  } else {
    const text = last
      ? `${last.isError ? 'TOOL_ERR' : 'TOOL_OK'}: ${last.content}`
      : `ECHO(${session.messages}): ${prompt}`
    say(text, [], tally, parts)
    result({ subtype: 'success', is_error: false, api_error_status: null, result: text, terminal_reason: 'completed' })
  }
  return null
}

async function runRounds(plan: Plan, tally: Tally, parts: TurnParts): Promise<ToolResult | null> {
  let last: ToolResult | null = null
  for (const calls of plan.rounds) {
    if (parts.stop.signal.aborted) break
    const ids = say('Calling a tool.', calls, tally, parts)
    const results = await Promise.all(calls.map((call, index) => useTool(call, ids[index]!, tally, parts)))
    last = results.at(-1) ?? last
  }
  return last
}

/** Returns the ids of the tool calls. */
function say(text: string, calls: ToolCall[], tally: Tally, { agent }: TurnParts): string[] {
  const { session } = agent
  const usage = { ...session.reply(tally, text, calls.length), service_tier: 'standard' }
  const messageId = `msg_${randomUUID().replaceAll('-', '')}`
  const ids = calls.map(() => `toolu_${randomUUID().replaceAll('-', '')}`)
  const blocks: Frame[] = [
    { type: 'text', text },
    ...calls.map((call, index) => ({ type: 'tool_use', id: ids[index], name: call.name, input: call.input })),
  ]
  session.add(JSON.stringify(blocks))
  for (const block of blocks) {
    const message = {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: session.model,
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    agent.emit({ type: 'assistant', message, parent_tool_use_id: null, session_id: session.id, uuid: randomUUID() })
  }
  return ids
}

async function useTool(call: ToolCall, toolUseId: string, tally: Tally, parts: TurnParts): Promise<ToolResult> {
  const decision = await parts.agent.permissions.ask(call, toolUseId)
  const result = await carryOut(call, decision, parts)
  if (!decision?.allow) tally.denials.push({ tool_name: call.name, tool_use_id: toolUseId, tool_input: call.input })
  const block = { tool_use_id: toolUseId, type: 'tool_result', content: result.content, is_error: result.isError }
  tally.turns++
  parts.agent.session.add(JSON.stringify(block))
  parts.agent.user([block], { tool_use_result: result.detail })
  if (decision && !decision.allow && decision.interrupt) parts.stop.abort()
  return result
}

async function carryOut(call: ToolCall, decision: Decision | null, parts: TurnParts): Promise<ToolResult> {
  if (decision === null)
    return {
      content: 'The tool use was interrupted before it was decided; it did not run.',
      isError: true,
      detail: 'Error: interrupted',
    }
  if (!decision.allow) return { content: decision.message, isError: true, detail: `Error: ${decision.message}` }
  return runTool({ name: call.name, input: decision.input }, parts.shop, parts.stop.signal)
}

function note(text: string, tally: Tally, parts: TurnParts): void {
  tally.turns++
  parts.agent.session.add(text)
  parts.agent.user([{ type: 'text', text }])
}

function pause(ms: number, { shop, stop }: TurnParts): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      timer.cancel()
      stop.signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = shop.timers.after(ms, finish)
    stop.signal.addEventListener('abort', finish)
  })
}
