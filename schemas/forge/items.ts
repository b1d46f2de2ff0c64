// The fields of forge issues and pull requests that are used; others are ignored.
import * as Type from 'typebox'
import { orNull } from '../shapes.ts'

const maybe = <T extends Type.TSchema>(schema: T) => Type.Optional(orNull(schema))

const Label = Type.Union([Type.String(), Type.Object({ name: maybe(Type.String()) })])

const common = {
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  body: maybe(Type.String()),
  html_url: Type.String(),
  labels: Type.Optional(Type.Array(Label)),
  assignee: maybe(Type.Object({ login: Type.String() })),
}
export type ForgeItem = Type.Static<Type.TObject<typeof common>>

/** Forges list pull requests among the issues, with this mark. */
export const ForgeIssue = Type.Object({ ...common, pull_request: Type.Optional(Type.Unknown()) })
export type ForgeIssue = Type.Static<typeof ForgeIssue>

const Branch = Type.Object({ ref: Type.String() })
export const ForgePullRequest = Type.Object({
  ...common,
  draft: Type.Optional(Type.Boolean()),
  head: Branch,
  base: Branch,
})
export type ForgePullRequest = Type.Static<typeof ForgePullRequest>
