// What opens a repository elsewhere, by reference.

/** What opens a repository elsewhere; each by reference, so that no configuration, row or log holds it. */
export interface GitCredentials {
  username?: string
  /** Name of the variable with the password or token. */
  passwordVariable?: string
  /** Path of a private key for ssh. */
  sshKeyFile?: string
  /** Path of the keys of hosts that ssh trusts; default those of the machine and of the daemon's user. */
  knownHostsFile?: string
}
