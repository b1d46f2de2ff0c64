// How a conversation with an ACP program begins: which version it speaks, what it can do, and the session to talk in.
import manifest from '../../package.json' with { type: 'json' }
import type { Launch } from '../../schemas/agent/launch.ts'
import { TOOL_SERVER } from '../../schemas/docstore/tools.ts'
import { objectAt, objectsAt, textAt, type Frame } from '../frames.ts'
import { LaunchFault } from '../launch-file.ts'
import { CODES, RpcFault, type RpcPeer } from './rpc.ts'

const PROTOCOL_VERSION = 1
/** A program that is downloaded at its first start takes its time. */
const START_MS = 120_000
const OPTION_MS = 10_000
const LONGEST_ID = 256

export interface Introduction {
  version: string | null
  /** It says of itself that it asks before every tool. */
  asks: boolean
  capabilities: Frame
}

export interface Conversation {
  sessionId: string
  /** The mode that the session began in; null where the program has none. */
  mode: string | null
}

/** What a conversation is opened with. */
export interface Opening {
  peer: RpcPeer
  launch: Launch
  /** What the program declared. */
  capabilities: Frame
  onNotice(text: string): void
}

/** The first exchange. Throws a LaunchFault (78) when the program does not speak the protocol, or another version. */
export async function introduce(peer: RpcPeer): Promise<Introduction> {
  const client = {
    protocolVersion: PROTOCOL_VERSION,
    // Files and terminals are the program's own business: what it does with them it asks for.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'svc', title: 'svc', version: manifest.version },
  }
  const answer = await requestAtStart(peer, 'initialize', client, 'failed to initialize the program')
  const version = answer['protocolVersion']
  if (version !== PROTOCOL_VERSION)
    throw new LaunchFault(
      `the program speaks version ${String(version)} of the Agent Client Protocol, expected ${PROTOCOL_VERSION}`,
      78,
      'install a version of the program that supports the expected version',
    )
  const capabilities = objectAt(answer, 'agentCapabilities')
  return {
    version: textAt(objectAt(answer, 'agentInfo'), 'version')?.slice(0, LONGEST_ID) ?? null,
    asks: objectAt(objectAt(capabilities, '_meta'), 'svc')['asksBeforeEveryTool'] === true,
    capabilities,
  }
}

/** Goes on with the conversation of the launch file where the program can and still has it, else begins one. */
export async function openConversation(opening: Opening): Promise<Conversation> {
  const { peer, launch, capabilities, onNotice } = opening
  const { resume_session: former } = launch
  const method = former === null ? null : resumingMethod(capabilities)
  if (former !== null && method !== null) {
    const setup = sessionSetup(launch, capabilities)
    const answer = await peer.request(method, { ...setup, sessionId: former }, START_MS).catch((error: Error) => {
      onNotice(`failed to resume the conversation (${error.message}); starting a new one`)
      return null
    })
    if (answer) return conversationOf(former, answer)
  }
  return newConversation(opening)
}

/** A fresh one, in the model that the agent's config chooses. Throws a LaunchFault (78) when the program has none. */
export async function newConversation(opening: Opening): Promise<Conversation> {
  const { peer, launch, capabilities } = opening
  const setup = sessionSetup(launch, capabilities)
  const answer = await requestAtStart(peer, 'session/new', setup, 'the program did not start a session')
  const sessionId = textAt(answer, 'sessionId')
  if (sessionId === null || sessionId === '' || sessionId.length > LONGEST_ID)
    throw new LaunchFault(`the program started a session without a valid "sessionId"`, 78, HINT)
  if (launch.model !== null) await chooseModel(opening, sessionId, launch.model, answer)
  return conversationOf(sessionId, answer)
}

const HINT = 'run the command in the agent’s working directory: it must speak the Agent Client Protocol on stdio'

/** Throws a LaunchFault (78) that begins with `fault` if the program does not answer, or answers with an error. */
function requestAtStart(peer: RpcPeer, method: string, params: Frame, fault: string): Promise<Frame> {
  return peer.request(method, params, START_MS).catch((error: Error) => {
    const signIn = error instanceof RpcFault && error.code === CODES.signIn
    const hint = signIn ? 'sign in to the program as the user that runs the agent, then restart the agent' : HINT
    throw new LaunchFault(`${fault}: ${error.message}`, 78, hint)
  })
}

/** True if the program declares this capability of sessions, by an object that may be empty. */
export function offersForSessions(capabilities: Frame, name: string): boolean {
  const declared = objectAt(capabilities, 'sessionCapabilities')[name]
  return typeof declared === 'object' && declared !== null
}

function resumingMethod(capabilities: Frame): string | null {
  if (offersForSessions(capabilities, 'resume')) return 'session/resume'
  return capabilities['loadSession'] === true ? 'session/load' : null
}

function conversationOf(sessionId: string, answer: Frame): Conversation {
  return { sessionId, mode: textAt(objectAt(answer, 'modes'), 'currentModeId') }
}

function sessionSetup(launch: Launch, capabilities: Frame): Frame {
  return {
    cwd: launch.directory,
    mcpServers: objectAt(capabilities, 'mcpCapabilities')['http'] === true ? [toolServer(launch)] : [],
    ...(offersForSessions(capabilities, 'additionalDirectories')
      ? { additionalDirectories: launch.additional_dirs }
      : {}),
    // Not of the protocol; programs that know it put the text behind their own system prompt.
    ...(launch.system_prompt === null ? {} : { _meta: { systemPrompt: { append: launch.system_prompt } } }),
  }
}

/** Our own tools, asked as the agent that it is. */
const toolServer = ({ tools_url, tools_token, agent_id }: Launch) => ({
  type: 'http',
  name: TOOL_SERVER,
  url: tools_url,
  headers: [
    { name: 'X-Svc-Agent', value: agent_id },
    { name: 'Authorization', value: `Bearer ${tools_token}` },
  ],
})

async function chooseModel(
  { peer, onNotice }: Opening,
  sessionId: string,
  model: string,
  answer: Frame,
): Promise<void> {
  const options = objectsAt(answer, 'configOptions')
  const option = options.find((each) => each['category'] === 'model' || each['id'] === 'model')
  const configId = textAt(option, 'id')
  if (configId === null) return onNotice(`model "${model}" is not used: the program does not offer a choice of models`)
  await peer
    .request('session/set_config_option', { sessionId, configId, value: model }, OPTION_MS)
    .catch((error: Error) => onNotice(`failed to select model "${model}": ${error.message}`))
}
