# The rules of policy.yaml for OPA's conftest, over the JSON of a plan:
#   chatform plan --format json > plan.json && conftest test plan.json --policy .
package main

import rego.v1

deny contains finding("no-user-deletion", change) if {
	some change in input.changes
	kind(change) == "user"
	"delete" in change.actions
}

deny contains finding("rooms-of-teams", change) if {
	some change in input.changes
	kind(change) == "group_channel"
	"create" in change.actions
	not startswith(file(change), "teams/")
}

deny contains {"msg": "few-departures", "rule": "few-departures", "address": "plan"} if {
	count([change | some change in input.changes; kind(change) == "user"; "deactivate" in change.actions]) > 3
}

deny contains finding("quiet-names", change) if {
	some change in input.changes
	some attribute in change.attributes
	attribute.path in ["name", "nickname"]
	regex.match(`^[A-Z ]+$`, attribute.after)
}

warn contains finding("no-way-back", change) if {
	some change in input.changes
	change.cause == "request"
	change.reversibility == "irreversible"
}

kind(change) := split(change.address, ".")[0]

# What was removed from the manifests stands in no file.
default file(_) := ""

file(change) := change.source.file

finding(rule, change) := {"msg": sprintf("%s: %s", [rule, change.address]), "rule": rule, "address": change.address}
