// Reads CHATFORM_ALLOWED_HOSTS: the hosts to which a manifest may send the API token, messages and events.

/** In lower case, each with its port unless that is the default one. */
export function allowedHostsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const hosts = (env.CHATFORM_ALLOWED_HOSTS ?? '').split(',').map((host) => host.trim().toLowerCase());
  return hosts.filter((host) => host !== '');
}
