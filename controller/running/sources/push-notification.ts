// A forge says that something was pushed. It is believed so far only that it is looked into: by the usual way, soon.
import { checkSignature, type SignedDelivery } from '../../../platform/forge/webhook-signature.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { SourceState } from './source-state.ts'

/** Throws 409 for a source that expects no forge, 401 for what is not signed with its secret. */
export function announced({ name, reader, webhookSecret }: SourceState, delivery: SignedDelivery): void {
  if (!reader?.remote)
    throw conflict(`source ${name} is no git repository that is fetched: there is nothing to be told of`)
  if (!webhookSecret)
    throw conflict(
      `source ${name} heeds no webhook: name the variable with its secret under git: { webhook_secret_variable: NAME }`,
    )
  checkSignature(webhookSecret, delivery)
  reader.remote.hasten()
}
