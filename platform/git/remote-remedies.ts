import type { GitCredentials } from './credentials.ts'

/** Explains common refusals with the next step; null if git's output is clear enough. */
export function remedyOf(lines: readonly string[], url: string, credentials: GitCredentials): string | null {
  const said = (pattern: RegExp) => lines.find((line) => pattern.test(line))
  if (said(/request for unadvertised object/) !== undefined)
    return 'its server serves only the tips of branches and tags: enable git protocol 2 on it (AcceptEnv GIT_PROTOCOL of sshd), or set uploadpack.allowAnySHA1InWant there'
  if (said(/mismatched algorithms/) !== undefined)
    return 'it has another object format: commits have 40 digits in SHA-1, 64 in SHA-256; write all digits of a commit of this repository as ref'
  if (url.startsWith('ssh:')) return sshRemedy(said, new URL(url), credentials)
  if (said(/Authentication failed|could not read (Username|Password)/) === undefined) return null
  const { passwordVariable } = credentials
  return passwordVariable === undefined
    ? 'it requires a password: name the variable that has it under credentials: { password_variable: NAME }'
    : `it rejects the password of ${passwordVariable}: check that it has not expired and may read the repository`
}

type Said = (pattern: RegExp) => string | undefined

function sshRemedy(said: Said, { hostname, port, username }: URL, credentials: GitCredentials): string | null {
  const { sshKeyFile, knownHostsFile = '~/.ssh/known_hosts' } = credentials
  const host = port === '' ? hostname : `[${hostname}]:${port}`
  const add = `add it to ${knownHostsFile} (ssh-keyscan ${port === '' ? '' : `-p ${port} `}${hostname} shows it)`
  if (said(/REMOTE HOST IDENTIFICATION HAS CHANGED|key .* has changed/) !== undefined)
    return `host ${host} presents a different key than ${knownHostsFile} has for it, so the connection was refused: it may be intercepted; if its operator confirms the new key, remove the old one (ssh-keygen -R "${host}" -f ${knownHostsFile}) and ${add}`
  if (said(/Host key verification failed|No .* host key is known/) !== undefined)
    return `the key of host ${host} is not known: compare it with the one its operator publishes and ${add}, or name another file under credentials: { known_hosts_file: FILE }`
  if (said(/UNPROTECTED PRIVATE KEY FILE|bad permissions/) !== undefined)
    return `ssh refuses ${sshKeyFile ?? 'a key'}, which others can read: chmod 600 it`
  const unusable = said(/^Load key /)
  if (unusable !== undefined)
    return `${unusable}: name a private key without a passphrase, or one loaded in the ssh agent`
  if (said(/Permission denied \(/) === undefined) return null
  const key = sshKeyFile === undefined ? "all of the daemon's keys" : `the key ${sshKeyFile}`
  return `${host} rejects ${key} for ${username || 'this user'}: add its public key there with read access, or name another key without a passphrase under credentials: { ssh_key_file: FILE }`
}
