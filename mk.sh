# usage: mk.sh name ; env: OV NV OT NT UV (values old/new, template old/new, user values json), NS schema new
rm -rf /tmp/r/up/$1; mkdir -p /tmp/r/up/$1; cd /tmp/r/up/$1; git init -q .; git remote add origin https://git.example/team/deploy.git
mkdir -p old/templates new/templates
printf 'apiVersion: v2\nname: web\nversion: 1.0.0\n' > old/Chart.yaml; printf 'apiVersion: v2\nname: web\nversion: 2.0.0\n' > new/Chart.yaml
printf "$OV" > old/values.yaml; printf "$NV" > new/values.yaml; printf "$OT" > old/templates/a.yaml; printf "$NT" > new/templates/a.yaml
[ -z "$NS" ] || echo "$NS" > new/values.schema.json
cat > app.yaml <<X
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://git.example/team/deploy.git, path: old, helm: {valuesObject: $UV}}
  destination: {namespace: x, server: https://kubernetes.default.svc}
X
git add -A; git -c user.name=a -c user.email=a@b commit -qm a
echo "## $1 NEW"; VALUEFOLD_ENGINE=/work/h-R/engine/out/engine node /work/h-R/dist/valuefold.cjs upgrade web new --chart web=old . -v 2>&1 | grep -v '^$' | cut -c1-230
[ -n "$NOOLD" ] || { echo "## $1 OLD"; VALUEFOLD_ENGINE=/work/h-R-old/engine/out/engine node /work/h-R-old/dist/valuefold.cjs upgrade web new --chart web=old . -v 2>&1| grep -v '^$' | cut -c1-230; }
