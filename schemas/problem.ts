// Error bodies (RFC 9457), with the closed lists of titles and codes.
import * as Type from 'typebox'
import type { Fault } from './kind.ts'
import { closedObject } from './shapes.ts'

/** Titles by status. Part of the contract: never reuse a title. */
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

/** Machine-readable codes. Part of the contract: never rename or reuse a code. */
export const PROBLEM_CODES = {
  'address-in-use': 'Another program listens on the port.',
  'agent-busy': 'The agent is busy.',
  'agent-interactive': 'The agent is interactive and accepts no messages.',
  'agent-may-not': "The agent's manifest does not grant this operation in may.",
  'agent-missing': 'The agent of the request does not exist.',
  'agent-not-connected': 'The agent is not connected to the daemon.',
  'agent-not-running': 'The agent is not running.',
  'already-decided': 'The approval has already been decided.',
  'auth-off': 'Tokens are off, so there is no session to sign in to.',
  'budget-spent': 'The agent has reached its cost limit and no longer accepts prompts.',
  'channel-full': 'The task queue is full; no task was accepted.',
  'conductor-unconfigured': 'The request names no repository, and SVC_CONDUCTOR_REPOSITORY is not set.',
  conflict: 'The current state does not allow it.',
  'daemon-running': 'Another daemon uses the same data.',
  'database-newer': 'A newer version of svc wrote the database.',
  'database-older': 'A development build of svc earlier than 3a7f089 wrote the database.',
  'directory-missing': 'The directory does not exist, or is not a directory.',
  delivered: 'The decision has been sent to the agent, so it cannot be withdrawn.',
  draining: 'The daemon is draining before a stop and no longer accepts tasks.',
  'folder-unavailable': 'A folder of the daemon is missing, read-only, full, or owned by another user.',
  forbidden: 'The caller is not allowed to do this.',
  'gateway-no-guarded-writes': 'The service runs in another process, and the gateway forwards no guarded request.',
  gone: 'It existed and has been removed.',
  'git-failed': 'A git command failed, or its repository cannot be reached.',
  'internal-error': 'Unexpected error; the daemon log has details under the request id.',
  'invalid-input': 'The request is invalid; errors lists every invalid field.',
  'lease-lost': 'Another daemon has taken over the database; this one no longer writes.',
  'limit-reached': 'The caller has reached one of its limits; Retry-After tells when to retry.',
  'managed-by-manifest': 'A manifest sets this field, and its sync rules block other writers.',
  'method-not-allowed': 'The address does not support this method; Allow lists the supported ones.',
  'misdirected-request': 'The request is addressed to another host.',
  moved: 'The values have changed since the caller read them; nothing was written.',
  'name-taken': 'The name is already in use.',
  'never-applied': 'There is no last applied state to revert to.',
  'no-revisions': 'The source keeps no earlier revisions to roll back to.',
  'not-a-repository': 'A worktree needs a git repository, and none was found.',
  'not-alike': 'The approvals differ in tool, input, policy, directory or sandbox; none was decided.',
  'not-decided': 'No decision of a person applies to the approval.',
  'not-eligible': 'The pull request does not meet the rules of a merge; errors lists the rules that fail.',
  'not-found': 'The requested object does not exist.',
  'not-implemented': 'This version does not support it.',
  'path-closed': 'The path is not open to the caller, whatever it contains.',
  'payload-too-large': 'The body exceeds the size limit.',
  'policy-forbids': 'The effective tool policy denies this tool.',
  'policy-unenforceable': 'The agent program may not enforce the tool policy.',
  'process-gone': 'The process that requested the tool has ended.',
  'program-ended': 'A program exited immediately after it was started.',
  'program-missing': 'A required program is not installed.',
  'request-timeout': 'The request was not received in time.',
  'sandbox-failed': 'The program did not start in its sandbox.',
  'sandbox-path-closed': 'A path that the sandbox should open is closed.',
  'sandbox-path-linked': 'A path that the sandbox should open is a link that the program could replace.',
  'sandbox-path-missing': 'A path or socket that the sandbox should open does not exist.',
  'sandbox-refused': 'The system does not allow a sandbox for the user of the agent.',
  'sandbox-too-wide': 'The directories of the agent are too wide for a sandbox.',
  'sandbox-unavailable': 'The program that makes sandboxes, bubblewrap, is not installed.',
  'sandbox-unsupported': 'There are no sandboxes on this system yet.',
  'secret-missing': 'The webhook has no secret, and the daemon accepts signed deliveries only.',
  'session-ended': 'The session has ended, or is unknown.',
  'session-key-missing': 'The request has the cookie of a session without its key.',
  'signature-wrong': 'The delivery is not signed with the secret of the workflow.',
  'source-suspended': 'The source is suspended; nothing is applied from it.',
  'source-unreadable': 'The manifests of the source cannot be read.',
  'stale-plan': 'The state has changed since the plan was made; nothing was written.',
  stopping: 'The daemon is stopping.',
  'storage-unavailable': 'The database cannot be read or written now.',
  'too-complex': 'The body is nested too deeply, has too many values, or a field name is too long.',
  'token-missing': 'The daemon requires a token, and none was sent.',
  'token-unknown': 'The token is unknown.',
  'too-many-requests': 'The daemon is receiving too many requests.',
  unauthorized: 'The caller is not authenticated.',
  unavailable: 'A required service is not available.',
  'unprocessable-content': 'The request is well-formed but cannot be processed.',
  'unsupported-media-type': 'The address does not accept this content type.',
  'user-missing': 'The OS user does not exist.',
  'window-closed': 'The source is outside its sync windows; nothing is applied from it.',
  'workflow-disabled': 'The workflow is disabled.',
} as const satisfies Record<string, string>
export type ProblemCode = keyof typeof PROBLEM_CODES

/** Default codes by status. */
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
  path: Type.String({ description: 'Dotted path; empty for the whole body' }),
  message: Type.String(),
  code: Type.String({ description: 'Code listed in docs/errors.md under "Errors in manifests"' }),
})
export type FieldError = Type.Static<typeof FieldError>

/** Converts the errors of a kind's check to request errors. */
export function faultErrors(faults: readonly Fault[]): FieldError[] {
  return faults.map(({ path, message, hint, code }) => ({ path: path.join('.'), message: `${message}: ${hint}`, code }))
}

export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Machine-readable code listed in docs/errors.md' }),
    detail: Type.String(),
    instance: Type.String(),
    error: Type.String({ description: 'Same text as detail' }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
    retry_after_secs: Type.Optional(Type.Integer({ minimum: 0, description: 'Same number as Retry-After' })),
  },
  { $id: 'Problem', additionalProperties: true },
)
export type ProblemBody = Type.Static<typeof ProblemBody>
