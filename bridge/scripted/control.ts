import { controlResponse, textAt, type Frame } from '../frames.ts'
import type { Speaker } from './turn.ts'

export const VERSION = '1.0.0'
export const DEFAULT_MODEL = 'scripted'

/** Modes of the real agent; this one asks before every tool in each. */
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto']

interface Controlled extends Speaker {
  readonly state: string
  system(subtype: string, members: Frame): void
  interrupt(acknowledge: () => void): void
  endSession(acknowledge: () => void): void
}

interface Reply {
  succeed(response?: Frame, members?: Frame): void
  fail(error: string): void
}

const CONTROLS: Record<string, (agent: Controlled, request: Frame, reply: Reply) => void> = {
  initialize: (agent, _request, { succeed }) =>
    succeed(introduction(agent), { pending_permission_requests: agent.permissions.open }),
  interrupt: (agent, _request, { succeed }) => agent.interrupt(() => succeed({ still_queued: [] })),
  end_session: (agent, _request, { succeed }) => agent.endSession(() => succeed()),
  get_settings: (_agent, _request, { succeed }) => succeed({ effective: { permissions: { ask: ['*'] } }, sources: [] }),
  set_permission_mode: setMode,
  set_model: setModel,
}

export function answerControl(agent: Controlled, requestId: string | null, request: Frame): void {
  const subtype = textAt(request, 'subtype') ?? ''
  const send = (response: Frame) => agent.emit(controlResponse(requestId, response))
  const reply: Reply = {
    succeed: (response, members) => send({ subtype: 'success', ...(response ? { response } : {}), ...members }),
    fail: (error) => send({ subtype: 'error', error, pending_permission_requests: agent.permissions.open }),
  }
  const control = Object.hasOwn(CONTROLS, subtype) ? CONTROLS[subtype] : undefined
  if (control) control(agent, request, reply)
  else reply.fail(`Unsupported control request subtype: ${subtype}`)
}

function setMode(agent: Controlled, request: Frame, { succeed, fail }: Reply): void {
  const mode = textAt(request, 'mode')
  if (mode === null || !MODES.includes(mode))
    return fail(`Cannot set permission mode to ${mode}: known modes are ${MODES.join(', ')}`)
  const changed = mode !== agent.session.mode
  agent.session.mode = mode
  succeed({ mode })
  if (changed) agent.system('status', { status: null, permissionMode: mode })
}

function setModel(agent: Controlled, request: Frame, { succeed }: Reply): void {
  agent.session.model = textAt(request, 'model') ?? DEFAULT_MODEL
  agent.user(`<local-command-stdout>Set model to ${agent.session.model}</local-command-stdout>`, { isReplay: true })
  succeed({ model: agent.session.model })
}

function introduction(agent: Controlled): Frame {
  return {
    commands: [{ name: 'clear', description: 'Forget the conversation', argumentHint: '' }],
    agents: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: DEFAULT_MODEL, displayName: 'Scripted', description: 'Answers by directives in the prompt' }],
    account: {},
    pid: process.pid,
    agent_version: VERSION,
    current_permission_mode: agent.session.mode,
    session_state: agent.state,
  }
}
