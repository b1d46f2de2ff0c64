// The shape of every error body (RFC 9457), and the closed list of titles.
import Type, { type Static } from 'typebox'

/** Status to title. Titles are part of the contract: never reuse one for something else. */
export const TITLES = {
  400: 'Invalid Input',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
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

export const FieldError = Type.Object({ path: Type.String(), message: Type.String() }, { additionalProperties: false })
export type FieldError = Static<typeof FieldError>

export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    error: Type.String({ description: 'The same text as detail' }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { $id: 'Problem', additionalProperties: true },
)
export type ProblemBody = Static<typeof ProblemBody>
