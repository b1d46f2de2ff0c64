// The shape of every error body (RFC 9457), and the closed lists of titles and codes.
import * as Type from 'typebox'
import type { Fault } from './kind.ts'
import { closedObject } from './shapes.ts'

/** Status to title. Titles are part of the contract: never reuse one for something else. */
export const TITLES = {
  400: 'Invalid Input',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Error',
  501: 'Not Implemented',
  503: 'Unavailable',
} as const
export type ProblemStatus = keyof typeof TITLES

/** What a program may decide by. A code is part of the contract: never renamed, never reused for something else. */
export const PROBLEM_CODES = {
  'address-in-use': 'Another program listens on the port.',
  'agent-busy': 'The agent works on something else.',
  'agent-interactive': 'The agent is a plain program to attach to: it takes no messages.',
  'agent-may-not': 'An agent asks for something that its manifest does not say it may.',
  'agent-missing': 'The agent that the request leads to does not exist.',
  'agent-not-connected': 'The agent has no connection to the daemon now.',
  'agent-not-running': 'The agent has no process now.',
  'already-decided': 'Somebody has decided the approval before.',
  'budget-spent': 'The agent has cost what it may cost, and takes no more prompts.',
  'channel-full': 'As many tasks wait as may; none was taken on.',
  conflict: 'The present state does not allow it.',
  'daemon-running': 'Another daemon works on the same data.',
  'database-newer': 'A newer version of svc wrote the database.',
  'database-older': 'A development build of svc earlier than 3a7f089 wrote the database.',
  'directory-missing': 'A directory that is named does not exist, or is none.',
  draining: 'The daemon finishes what it has in hand and takes no more tasks: it is about to be stopped.',
  'folder-unavailable': 'A folder that the daemon keeps files in is gone, read-only, full, or not its own.',
  forbidden: 'Who asks may not do this.',
  gone: 'It was there, and is not any more.',
  'internal-error': 'Nobody foresaw it; the log of the daemon has it under the request id.',
  'invalid-input': 'The request is not as it should be; errors names each member at fault.',
  'lease-lost': 'Another daemon has taken the database over; this one writes no more.',
  'managed-by-manifest': 'A manifest says what was to be written, and its sync rules block every other hand.',
  'method-not-allowed': 'The address does not take this method; Allow lists those it takes.',
  'misdirected-request': 'The request is meant for another host.',
  moved: 'What was to be written has other values than who writes has seen; nothing was written.',
  'name-taken': 'The name belongs to another one.',
  'never-applied': 'There is no last applied state to go back to.',
  'no-revisions': 'The source keeps no earlier revisions to go back to.',
  'not-a-repository': 'A worktree needs a git repository, and there is none.',
  'not-found': 'What the address names does not exist.',
  'not-implemented': 'This version does not do it yet.',
  'payload-too-large': 'The body is larger than the address takes.',
  'policy-forbids': 'The tool policy in force forbids what is to be approved.',
  'policy-unenforceable': 'The agent program may not obey the tool policy that is to be in force.',
  'process-gone': 'The process that asked is over; nobody waits for the answer.',
  'program-ended': 'A program that was started ended at once.',
  'program-missing': 'A program that is needed is not installed.',
  'request-timeout': 'The request did not come whole in time.',
  'signature-wrong': 'The delivery is not signed with the secret of its workflow.',
  'source-suspended': 'The source is suspended; nothing is applied from it.',
  'source-unreadable': 'The manifests of the source cannot be read as they are.',
  'stale-plan': 'What the plan saw has moved since; nothing was written.',
  stopping: 'The daemon is stopping.',
  'storage-unavailable': 'The database cannot be read or written now.',
  'too-complex': 'The body is nested too deep, holds too many values, or a member has too long a name.',
  'token-missing': 'The daemon asks for a token, and none was sent.',
  'token-unknown': 'The token is not known.',
  'too-many-requests': 'More was asked than the daemon takes at once.',
  unauthorized: 'Who asks is not known.',
  unavailable: 'Something that is needed does not answer now.',
  'unprocessable-content': 'The request is well formed, and cannot be followed.',
  'unsupported-media-type': 'The body is of a type that the address does not take.',
  'user-missing': 'The OS user does not exist.',
  'window-closed': 'The source is outside of its sync windows; nothing is applied from it.',
  'workflow-disabled': 'The workflow is disabled.',
} as const satisfies Record<string, string>
export type ProblemCode = keyof typeof PROBLEM_CODES

/** The code of a status when nothing more is known. */
export const STATUS_CODES: Record<ProblemStatus, ProblemCode> = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  421: 'misdirected-request',
  422: 'unprocessable-content',
  429: 'too-many-requests',
  500: 'internal-error',
  501: 'not-implemented',
  503: 'unavailable',
}

export const FieldError = closedObject({
  path: Type.String({ description: 'Dotted; empty for the whole' }),
  message: Type.String(),
  code: Type.String({ description: 'One word of docs/errors.md, among the faults' }),
})
export type FieldError = Type.Static<typeof FieldError>

/** What a kind's own check finds, in the form of a request's errors. */
export function faultErrors(faults: readonly Fault[]): FieldError[] {
  return faults.map(({ path, message, hint, code }) => ({ path: path.join('.'), message: `${message}: ${hint}`, code }))
}

export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'One word of docs/errors.md: what a program may decide by' }),
    detail: Type.String(),
    instance: Type.String(),
    error: Type.String({ description: 'The same text as detail' }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { $id: 'Problem', additionalProperties: true },
)
export type ProblemBody = Type.Static<typeof ProblemBody>
