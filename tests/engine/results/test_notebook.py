"""What a notebook shows of scenes and runs."""

from engine import Scene, simulate


def swing() -> Scene:
    return (
        Scene(space="planar", title="swing <b>")
        .with_body("rod", mass=1.0, com=[0.5, 0.0], inertia=[0.1])
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod"})
        .with_simulation(duration=0.01)
    )


def test_a_scene_tells_its_elements_and_escapes_words_of_strangers() -> None:
    text = swing()._repr_html_()
    assert "swing &lt;b&gt;" in text
    assert "<td>joints</td><td>hinge</td>" in text
    assert "forces" not in text


def test_a_run_tells_how_it_went() -> None:
    text = simulate(swing())._repr_html_()
    assert "<td>status</td><td>finished</td>" in text
    assert "<td>steps</td><td>10</td>" in text
