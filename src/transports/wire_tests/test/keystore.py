"""A keystore as SROS2 makes it: enclaves with keys and certificates, governance and permissions that a CA signed."""

import os
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

VALIDITY = '<validity><not_before>2020-01-01T00:00:00</not_before><not_after>2120-01-01T00:00:00</not_after></validity>'
# As SROS2's, but for Cyclone DDS's limit of 230 domains: nobody unknown takes part, and everything is encrypted but the
# outermost headers, which are signed.
GOVERNANCE = """<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_governance.xsd">
  <domain_access_rules>
    <domain_rule>
      <domains><id_range><min>0</min><max>230</max></id_range></domains>
      <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
      <enable_join_access_control>true</enable_join_access_control>
      <discovery_protection_kind>ENCRYPT</discovery_protection_kind>
      <liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
      <rtps_protection_kind>SIGN</rtps_protection_kind>
      <topic_access_rules>
        <topic_rule>
          <topic_expression>*</topic_expression>
          <enable_discovery_protection>true</enable_discovery_protection>
          <enable_liveliness_protection>true</enable_liveliness_protection>
          <enable_read_access_control>true</enable_read_access_control>
          <enable_write_access_control>true</enable_write_access_control>
          <metadata_protection_kind>ENCRYPT</metadata_protection_kind>
          <data_protection_kind>ENCRYPT</data_protection_kind>
        </topic_rule>
      </topic_access_rules>
    </domain_rule>
  </domain_access_rules>
</dds>
"""


def topics(kind, names):
    return f'<{kind}><topics>{"".join(f"<topic>{escape(name)}</topic>" for name in names)}</topics></{kind}>'


def permissions(enclave, publish, subscribe):
    """All that is not named is denied."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_permissions.xsd">
  <permissions>
    <grant name="{enclave}">
      <subject_name>CN={enclave}</subject_name>
      {VALIDITY}
      <allow_rule>
        <domains><id_range><min>0</min><max>230</max></id_range></domains>
        {topics('publish', publish)}
        {topics('subscribe', subscribe)}
      </allow_rule>
      <default>DENY</default>
    </grant>
  </permissions>
</dds>
"""


def openssl(*arguments, **options):
    done = subprocess.run(['openssl', *map(str, arguments)], capture_output=True, text=True, **options)
    assert done.returncode == 0, f'openssl {" ".join(map(str, arguments))}: {done.stderr}'


class Keystore:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self._key, self._ca = self.folder / 'ca.key.pem', self.folder / 'ca.cert.pem'
        self.folder.mkdir()
        self._make_key(self._key)
        openssl('req', '-x509', '-new', '-key', self._key, '-subj', '/CN=sros2CA', '-days', '3650', '-sha256',
                '-out', self._ca)

    def enclave(self, name, publish=('*',), subscribe=('*',)):
        """Makes one; names of topics are as DDS has them ('rt/chatter'). Returns its folder."""
        folder = self.folder / 'enclaves' / name.lstrip('/')
        folder.mkdir(parents=True)
        self._make_key(folder / 'key.pem')
        request = folder / 'request.pem'
        subject = '/CN=' + name.replace('/', '\\/')
        openssl('req', '-new', '-key', folder / 'key.pem', '-subj', subject, '-out', request)
        openssl('x509', '-req', '-in', request, '-CA', self._ca, '-CAkey', self._key, '-CAcreateserial',
                '-days', '3650', '-sha256', '-out', folder / 'cert.pem')
        request.unlink()
        for authority in ('identity_ca.cert.pem', 'permissions_ca.cert.pem'):
            os.symlink(self._ca, folder / authority)
        self._sign(GOVERNANCE, folder / 'governance.p7s')
        self._sign(permissions(name, publish, subscribe), folder / 'permissions.p7s')
        return folder

    @staticmethod
    def _make_key(file):
        openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file)

    def _sign(self, text, file):
        openssl('smime', '-sign', '-text', '-signer', self._ca, '-inkey', self._key, '-out', file, input=text)
